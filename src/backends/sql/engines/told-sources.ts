import type { ForeignColumn, ForeignEngine, ForeignSource } from '../foreign/engine.ts'

/** What a database has told of its sources, as data: columns and settled sources, by what was asked. */
export type ToldSources = Map<string, unknown>

function keyOf(what: string, source: ForeignSource): string {
  return JSON.stringify([what, source], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

/**
 * A database that is asked of each source once: what it tells is kept in `told`, which another thread may have filled. So all
 * threads see the same columns, and one that starts later need not wait while thousands of files are looked at.
 */
export function rememberSources(engine: ForeignEngine, told: ToldSources): ForeignEngine {
  const remembered = async <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    if (!told.has(key)) told.set(key, await ask())
    return told.get(key) as T
  }
  return {
    name: engine.name,
    dialect: engine.dialect,
    describe: (source): Promise<readonly ForeignColumn[]> =>
      remembered(keyOf('describe', source), () => engine.describe(source)),
    settle: (source): Promise<ForeignSource> =>
      remembered(keyOf('settle', source), async () => (await engine.settle?.(source)) ?? source),
    run: (statement, options) => engine.run(statement, options),
    explain: (statement) => engine.explain(statement),
    close: () => engine.close(),
  }
}
