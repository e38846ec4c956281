import { namedValues, type SqliteConnection } from '../../store/sqlite/index.ts'
import type { Statement } from './compile.ts'

interface PlanLine {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

/** Returns SQLite's plan of a statement: one line for each step, inner steps indented. */
export function queryPlan(connection: SqliteConnection, statement: Statement): readonly string[] {
  const values = statement.parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : 0))
  const names = statement.parameters.map(({ name }) => name)
  const lines = connection.prepare(`EXPLAIN QUERY PLAN ${statement.sql}`).all(namedValues(names, values)) as PlanLine[]
  const depths = new Map<number, number>([[0, -1]])
  return lines.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return `${'  '.repeat(depth)}${detail}`
  })
}
