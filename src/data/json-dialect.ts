/** JSON form of answers. `native` keeps types; `logsql` writes every value as a string and omits empty strings. */
export type JsonDialect = 'native' | 'logsql'
