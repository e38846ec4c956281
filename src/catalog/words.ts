export const engineNames = ['duckdb', 'clickhouse', 'postgres', 'sqlite'] as const
export type EngineName = (typeof engineNames)[number]

export const timeUnits = ['s', 'ms', 'us', 'ns', 'timestamp', 'text'] as const
export type TimeUnit = (typeof timeUnits)[number]

/** Name of an environment variable after a dollar sign. */
export const VARIABLE = /^\$[A-Za-z_][A-Za-z0-9_]*$/

export function isVariable(text: string): boolean {
  return VARIABLE.test(text)
}

/** Returns a list for a member that may be one value or a list. */
export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return []
  return Array.isArray(value) ? (value as readonly T[]) : [value as T]
}
