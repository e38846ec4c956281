import Database from 'better-sqlite3'

/** Statements that the database received, in order; `undefined` while no recording is active. */
let told: string[] | undefined

type Method = (this: unknown, sql: string, ...rest: readonly unknown[]) => unknown

const prototype = Database.prototype as unknown as Record<'prepare' | 'exec' | 'pragma', Method>
for (const name of ['prepare', 'exec', 'pragma'] as const) {
  const original = prototype[name]
  prototype[name] = function (this: unknown, sql: string, ...rest: readonly unknown[]): unknown {
    told?.push(`${name} ${sql}`)
    return original.call(this, sql, ...rest)
  }
}

/**
 * Runs `work` and returns the statements that the database received meanwhile. Nothing else may use a database at that
 * time.
 */
export async function sqlToldDuring(work: () => unknown): Promise<readonly string[]> {
  const mine: string[] = []
  told = mine
  try {
    await work()
  } finally {
    told = undefined
  }
  return mine
}
