/** Yields the values of several sources as they arrive. When the caller stops early, all sources are closed. */
export async function* merged<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const [only] = sources
  if (sources.length === 1 && only !== undefined) {
    yield* only
    return
  }
  const pending = new Map<
    AsyncGenerator<T>,
    Promise<{ readonly source: AsyncGenerator<T>; readonly next: IteratorResult<T> }>
  >()
  const ask = (source: AsyncGenerator<T>): void => {
    const asked = source.next().then((next) => ({ source, next }))
    // The error of a source is thrown when the race returns that source.
    asked.catch(() => undefined)
    pending.set(source, asked)
  }
  for (const source of sources) ask(source)
  try {
    while (pending.size > 0) {
      const { source, next } = await Promise.race(pending.values())
      pending.delete(source)
      if (next.done === true) continue
      yield next.value
      ask(source)
    }
  } finally {
    for (const source of sources) void source.return(undefined).catch(() => undefined)
  }
}
