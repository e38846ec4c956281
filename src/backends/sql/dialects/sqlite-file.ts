import { defineDialect } from '../dialect.ts'
import { sqlite } from './sqlite.ts'

/** Tables of anyone's making in a SQLite file. */
export const sqliteFile = defineDialect(sqlite, { name: 'sqlite' })
