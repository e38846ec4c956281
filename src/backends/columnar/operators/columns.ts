import type { Column } from '../../../data/index.ts'
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
import { Frame } from '../frame.ts'
import { again, type Operator, type OperatorFactory } from '../operator.ts'

/** An operator that changes the columns of each frame and leaves the rows. */
function mapFrames(input: Operator, map: (frame: Frame) => Frame): Operator {
  return {
    pull(want) {
      const frame = input.pull(want)
      return frame === undefined || frame === again ? frame : map(frame)
    },
  }
}

export const projectOperator: OperatorFactory<Project> = ({ node, inputs: [input] }) =>
  mapFrames(input, (frame) => {
    const columns = new Map<string, Column | (() => Column)>()
    const names = frame.names
    for (const pattern of node.fields) {
      const plain = plainName(pattern)
      const matching = plain === undefined ? names.filter((name) => matchesField(pattern, name)) : [plain]
      for (const name of matching) if (!columns.has(name)) columns.set(name, frame.lazyColumn(name))
    }
    return new Frame(frame.rowCount, columns, frame.identity)
  })

export const dropOperator: OperatorFactory<Drop> = ({ node, inputs: [input] }) =>
  mapFrames(input, (frame) => {
    const gone = frame.names.filter((name) => node.fields.some((pattern) => matchesField(pattern, name)))
    return frame.with(gone.map((name) => [name, undefined]))
  })

export const extendOperator: OperatorFactory<Extend> = ({ node, inputs: [input], context }) => {
  const assignments = node.assignments.map((a) => ({ name: a.name, evaluate: context.compiler.expr(a.expr) }))
  return mapFrames(input, (frame) =>
    assignments.reduce((before, { name, evaluate }) => before.with([[name, () => evaluate(before)]]), frame),
  )
}

export const renameOperator: OperatorFactory<Rename> = ({ node, inputs: [input] }) => {
  const { fields } = schemaOf(node.input)
  return mapFrames(input, (frame) => {
    // Declared fields are there even when no row of this frame has them.
    const known = frame.with(fields.filter((f) => !frame.has(f.name)).map((f) => [f.name, frame.lazyColumn(f.name)]))
    return node.steps.reduce((before, step) => renameStep(before, step, node.isCopy), known)
  })
}

function renameStep(frame: Frame, step: Renaming, isCopy: boolean): Frame {
  const plain = plainName(step.from)
  const names = plain === undefined ? frame.names : [plain]
  const changes: (readonly [string, (() => Column) | undefined])[] = []
  const added: (readonly [string, () => Column])[] = []
  for (const name of names) {
    const target = renamed(step, name)
    if (target === undefined || target === name) continue
    if (!isCopy) changes.push([name, undefined])
    added.push([target, () => frame.column(name)])
  }
  return added.length === 0 ? frame : frame.with([...changes, ...added])
}
