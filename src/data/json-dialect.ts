/** How answers are written: `native` keeps types, `logsql` writes every value as text and drops empty ones. */
export type JsonDialect = 'native' | 'logsql'
