/** JSON form of answers. `native` keeps types; `logsql` writes every value as a string and omits empty ones. */
export type JsonDialect = 'native' | 'logsql'
