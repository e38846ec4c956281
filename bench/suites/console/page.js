// Measures from inside the page: the suite calls these functions by `globalThis.bench`.
const durations = []
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) durations.push(Math.round(duration))
}).observe({ type: 'longtask', buffered: true })

function editorRoot() {
  return document.querySelector('.query-editor > div')?.shadowRoot
}

globalThis.bench = {
  /** Long tasks of the main thread since the last call, in ms. */
  longTasks: () => durations.splice(0),
  firstPaint: () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  heapBytes: () => performance.memory.usedJSHeapSize,
  /** Scrolls the list from top to bottom in 300 steps and returns the main thread's work for each frame, in ms. */
  scrollWork: async () => {
    const list = document.querySelector('.list')
    const times = []
    let began = 0
    addEventListener('scroll', () => (began = performance.now()), { capture: true })
    const channel = new MessageChannel()
    channel.port1.start()
    for (let i = 0; i <= 300; i++) {
      list.scrollTop = (list.scrollHeight * i) / 300
      await new Promise((done) => {
        requestAnimationFrame(() => {
          // A message is handled behind style, layout and paint of the frame.
          channel.port1.addEventListener('message', () => done(times.push(performance.now() - began)), { once: true })
          channel.port2.postMessage(0)
        })
      })
    }
    return times
  },
  /** Begins to wait for an error that the next key press causes. */
  watchKey: () => {
    const root = editorRoot()
    let began = 0
    root.addEventListener('keydown', () => (began = performance.now()), { once: true, capture: true })
    globalThis.bench.found = new Promise((done) => {
      new MutationObserver((_, observer) => {
        if (!globalThis.bench.hasError()) return
        observer.disconnect()
        done(performance.now() - began)
      }).observe(root, { subtree: true, childList: true, attributes: true })
    })
  },
  hasError: () => editorRoot()?.querySelector('.cm-lintRange-error') != null,
}
