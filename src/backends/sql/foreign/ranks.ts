import { bound, sqlCall, type SqlExpr } from '../statement/ast.ts'
import type { Dialect } from '../dialect.ts'

const DIGITS = String.raw`\d[\d_]*`

/**
 * A pattern that every string matches which sorts as a number, duration, size or time. A few others match too. RE2 and
 * PostgreSQL share its syntax.
 */
const MAY_RANK = `^(?:[+-]?(?:${DIGITS}\\.?[\\d_]*|\\.${DIGITS})(?:[eE][+-]?\\d+)?|[+-]?0[xXbBoO][\\da-fA-F_]+|[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|-?(?:${DIGITS}(?:\\.[\\d_]+)?(?:ns|\u00b5s|\u03bcs|ms|[smhdwy]|[KMGT](?:iB|i|B)?|B)?)+|\\d{4}-\\d\\d-\\d\\d[Tt ].*)$`

/** Compiles a condition that every string meets which sorts as a number or a time. A few other strings meet it too. */
export function mayRank(text: SqlExpr, dialect: Dialect): SqlExpr {
  return sqlCall(dialect.functions['may-rank'] === undefined ? 'matches' : 'may-rank', text, bound(MAY_RANK))
}
