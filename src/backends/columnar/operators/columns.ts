import { columnOfValues, valueAt, type Column } from '../../../data/index.ts'
import {
  matchesField,
  plainName,
  renamed,
  schemaOf,
  type Drop,
  type Extend,
  type Project,
  type Rename,
  type Renaming,
} from '../../../plan/index.ts'
import { orderedNames } from '../expr/call-arguments.ts'
import { Frame, type LazyColumn } from '../frame.ts'
import { again, type Operator, type OperatorFactory } from '../operator.ts'

/**
 * Makes an operator that applies `map`, which changes columns but not rows, to each frame. `keepsValues`: `map` only
 * removes columns.
 */
function mapFrames(input: Operator, map: (frame: Frame) => Frame, keepsValues = false): Operator {
  return {
    ...(keepsValues && input.rowsOf !== undefined ? { rowsOf: input.rowsOf } : {}),
    pull(want) {
      const frame = input.pull(want)
      return frame === undefined || frame === again ? frame : map(frame)
    },
  }
}

export const projectOperator: OperatorFactory<Project> = ({ node, inputs: [input] }) =>
  mapFrames(
    input,
    (frame) => {
      const columns = new Map<string, LazyColumn>()
      const names = frame.names
      for (const pattern of node.fields) {
        const plain = plainName(pattern)
        const matching = plain === undefined ? names.filter((name) => matchesField(pattern, name)) : [plain]
        for (const name of matching) if (!columns.has(name)) columns.set(name, frame.lazyColumn(name))
      }
      return new Frame(frame.rowCount, columns, frame.identity)
    },
    true,
  )

export const dropOperator: OperatorFactory<Drop> = ({ node, inputs: [input] }) =>
  mapFrames(
    input,
    (frame) => {
      const gone = frame.names.filter((name) => node.fields.some((pattern) => matchesField(pattern, name)))
      return frame.with(gone.map((name) => [name, undefined]))
    },
    true,
  )

export const extendOperator: OperatorFactory<Extend> = ({ node, inputs: [input], context }) => {
  const assignments = node.assignments.map((a) => ({ name: a.name, evaluate: context.compiler.expr(a.expr) }))
  return mapFrames(input, (frame) =>
    assignments.reduce((before, { name, evaluate }) => before.with([[name, () => evaluate(before)]]), frame),
  )
}

export const renameOperator: OperatorFactory<Rename> = ({ node, inputs: [input] }) => {
  const schema = schemaOf(node.input)
  const named = new Set(schema.fields.filter((f) => f.presence === 'named').map((f) => f.name))
  return mapFrames(input, (frame) =>
    node.steps.reduce(
      (before, step) => renameStep(before, step, node.isCopy, orderedNames(before, schema), named),
      frame,
    ),
  )
}

/**
 * Applies one rename to a frame. A plain name is renamed in every row. A pattern renames matching fields row by row; if
 * several get the same name, the last one in answer order is used.
 */
function renameStep(
  frame: Frame,
  step: Renaming,
  isCopy: boolean,
  names: readonly string[],
  named: ReadonlySet<string>,
): Frame {
  const plain = plainName(step.from)
  const sources = new Map<string, readonly [string, ...string[]]>()
  for (const name of plain === undefined ? names : [plain]) {
    const target = renamed(step, name)
    if (target === undefined || target === name || (plain === undefined && !frame.has(name))) continue
    const before = sources.get(target)
    sources.set(target, before === undefined ? [name] : [...before, name])
  }
  if (sources.size === 0) return frame
  const moved = isCopy ? [] : [...sources.values()].flat()
  const added = [...sources].map(([target, from]): readonly [string, () => Column] => [
    target,
    () => {
      const [first, ...others] = from
      if (plain !== undefined || (others.length === 0 && named.has(first))) return frame.column(first)
      const columns = from.map((name) => ({ column: frame.column(name), isNamed: named.has(name) })).toReversed()
      const kept = moved.includes(target) ? undefined : frame.column(target)
      return columnOfValues(
        Array.from({ length: frame.rowCount }, (_, row) => {
          for (const { column, isNamed } of columns) {
            const value = valueAt(column, row)
            if (value !== null || isNamed) return value
          }
          return kept === undefined ? null : valueAt(kept, row)
        }),
      )
    },
  ])
  return frame.with([...moved.map((name): readonly [string, undefined] => [name, undefined]), ...added])
}
