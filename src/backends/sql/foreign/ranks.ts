import { bound, sqlCall, type SqlExpr } from '../statement/ast.ts'
import type { Dialect } from '../dialect.ts'

const DIGITS = String.raw`\d[\d_]*`

/**
 * Matches every text that sorts as a number, duration, size or time, and a few others, in syntax that RE2 and
 * PostgreSQL share.
 */
const MAY_RANK = `^(?:[+-]?(?:${DIGITS}\\.?[\\d_]*|\\.${DIGITS})(?:[eE][+-]?\\d+)?|[+-]?0[xXbBoO][\\da-fA-F_]+|[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|-?(?:${DIGITS}(?:\\.[\\d_]+)?(?:ns|\u00b5s|\u03bcs|ms|[smhdwy]|[KMGT](?:iB|i|B)?|B)?)+|\\d{4}-\\d\\d-\\d\\d[Tt ].*)$`

/** Compiles a condition for texts that may sort as a number or a time. It is also true for a few texts that do not. */
export function mayRank(text: SqlExpr, dialect: Dialect): SqlExpr {
  return sqlCall(dialect.functions['may-rank'] === undefined ? 'matches' : 'may-rank', text, bound(MAY_RANK))
}
