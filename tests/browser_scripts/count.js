(() => {
  const seen = (what) => { top.fired = top.fired || []; top.fired.push(location.pathname + ' ' + what) };
  window.fire = seen;
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => seen(name);
  Object.defineProperty(Document.prototype, 'cookie', {get() { seen('cookie'); return '' }});
})()
