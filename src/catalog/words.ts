export const engineNames = ['duckdb', 'clickhouse', 'postgres', 'sqlite'] as const
export type EngineName = (typeof engineNames)[number]

export const timeUnits = ['s', 'ms', 'us', 'ns', 'timestamp', 'text'] as const
export type TimeUnit = (typeof timeUnits)[number]

/** Matches `$NAME`, a reference to an environment variable. */
export const VARIABLE = /^\$[A-Za-z_][A-Za-z0-9_]*$/

export function isVariable(text: string): boolean {
  return VARIABLE.test(text)
}

/** Returns a list for a catalog member that accepts one value or a list. */
export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return []
  return Array.isArray(value) ? (value as readonly T[]) : [value as T]
}
