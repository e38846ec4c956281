import { bound, sqlCall, type SqlExpr } from '../statement/ast.ts'
import type { Dialect } from '../dialect.ts'

const DIGITS = String.raw`\d[\d_]*`

/**
 * Pattern that matches every string that sorts as a number, duration, size or time, and a few other strings. The syntax
 * is common to RE2 and PostgreSQL.
 */
const MAY_RANK = `^(?:[+-]?(?:${DIGITS}\\.?[\\d_]*|\\.${DIGITS})(?:[eE][+-]?\\d+)?|[+-]?0[xXbBoO][\\da-fA-F_]+|[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|-?(?:${DIGITS}(?:\\.[\\d_]+)?(?:ns|\u00b5s|\u03bcs|ms|[smhdwy]|[KMGT](?:iB|i|B)?|B)?)+|\\d{4}-\\d\\d-\\d\\d[Tt ].*)$`

/** Compiles a condition that is true for every string that sorts as a number or time, and for a few other strings. */
export function mayRank(text: SqlExpr, dialect: Dialect): SqlExpr {
  return sqlCall(dialect.functions['may-rank'] === undefined ? 'matches' : 'may-rank', text, bound(MAY_RANK))
}
