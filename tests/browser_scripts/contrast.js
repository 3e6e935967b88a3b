(selector) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const paint = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const one of colours) { canvas.fillStyle = one; canvas.fillRect(0, 0, 1, 1); }
    const light = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4;
    });
    return .2126 * light[0] + .7152 * light[1] + .0722 * light[2];
  };
  const parents = (at) => at ? [...parents(at.parentElement), at] : [];
  return [...document.querySelectorAll(selector)].map((element) => {
    const behind = parents(element).map((at) => getComputedStyle(at).backgroundColor);
    const ground = paint(behind), ink = paint([...behind, getComputedStyle(element).color]);
    return (Math.max(ground, ink) + .05) / (Math.min(ground, ink) + .05);
  });
}
