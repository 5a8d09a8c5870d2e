"""The sections of the page, one file each: what stands in the HTML, and the data its script reads."""
