"""Studio: edit a robot in the browser and see its equations, proof and motion change.

In reading order: `messages` (the protocol), `kernel` (a request in, its replies out), `model_text` (the
text and what was derived from it), `literals` and `problems`; one module per kind of request:
`templates`, `imports`, `check`, `edit`, `derive`, `programs`, `scene`, `closed_form`, `prove`, `code`,
`steps`, `linearize`, `audit`, `compare`, `export`; and for the local kernel `worker` (the subprocess),
`processes` (the busy ones and the spare), `bundle` and `site` (the files of the page), `model_keys` (for
completion), `folder` (the model files it may open), `server` and `serve`.
"""
