// Picking of the body under a pixel: the scene is drawn again into a picture of one pixel, with each
// body in a colour that encodes its number.

export function createPicker(gl) {
  const frame = gl.createFramebuffer(), color = gl.createRenderbuffer(), depth = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, color);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 1, 1);
  gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, 1, 1);
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const pixel = new Uint8Array(4), clip = new Float64Array(16);

  // Number of the body at CSS pixel (x, y), or -1; `paint(clip)` draws the bodies' numbers.
  return (camera, x, y, paint) => {
    // x' = W (x - w X) enlarges the pixel at X to the whole picture; y likewise.
    const X = (2 * x) / camera.width - 1, Y = 1 - (2 * y) / camera.height, m = camera.clip;
    for (let j = 0; j < 16; j += 4) {
      clip[j] = camera.width * (m[j] - X * m[j + 3]);
      clip[j + 1] = camera.height * (m[j + 1] - Y * m[j + 3]);
      clip[j + 2] = m[j + 2];
      clip[j + 3] = m[j + 3];
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.viewport(0, 0, 1, 1);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    paint(clip);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return pixel[3] ? pixel[0] + 256 * pixel[1] - 2 : -1; // body -1 is the world
  };
}
