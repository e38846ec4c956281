import type { Origin } from '../../base/index.ts'
import type { Field, Schema } from '../../data/index.ts'
import { declaredField } from '../field-index.ts'
import { matchesField, plainName, printFieldPattern, type FieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { FieldChain } from './field-chain.ts'
import { rowForRow, unary, type NodeOps } from './node-ops.ts'

/**
 * One step of a rename or copy. A star on one side adds or removes a prefix; stars on both sides match the same text.
 */
export interface Renaming {
  readonly from: FieldPattern
  readonly to: FieldPattern
}

/**
 * Renames fields, or copies them if `isCopy` is set, step by step from left to right. An existing target is replaced.
 */
export interface Rename {
  readonly kind: 'rename'
  readonly input: LogicalPlan
  readonly steps: readonly Renaming[]
  readonly isCopy: boolean
  readonly origin: Origin
}

/** Returns the new name of a field after one step; `undefined` if the step does not apply to it. */
export function renamed(step: Renaming, name: string): string | undefined {
  if (!matchesField(step.from, name)) return undefined
  const target = plainName(step.to)
  if (target !== undefined) return target
  const [prefix, suffix] = [step.from.parts[0] ?? '', step.from.parts.at(-1) ?? '']
  const star = step.from.parts.length === 1 ? name : name.slice(prefix.length, name.length - suffix.length)
  const [first = '', ...rest] = step.to.parts
  return first + star + rest.join('*')
}

function applyStep(schema: Schema, step: Renaming, isCopy: boolean): Schema {
  const plain = plainName(step.from)
  const targets = new Map<string, Field>()
  for (const f of schema.fields) {
    const to = renamed(step, f.name)
    if (to !== undefined && to !== f.name)
      targets.set(f.name, { ...f, name: to, presence: plain === undefined ? f.presence : 'named' })
  }
  if (plain !== undefined && declaredField(schema, plain) === undefined) {
    const to = renamed(step, plain)
    if (to !== undefined && to !== plain) targets.set(plain, { name: to, type: 'any', presence: 'named' })
  }
  const replaced = new Set([...targets.values()].map((f) => f.name))
  const fields: Field[] = []
  const added = new Set<string>()
  for (const f of schema.fields) {
    const target = targets.get(f.name)
    if (target === undefined || isCopy) {
      if (!replaced.has(f.name)) fields.push(f)
    }
    if (target !== undefined && !added.has(target.name)) {
      fields.push(target)
      added.add(target.name)
    }
  }
  for (const target of targets.values()) {
    if (!added.has(target.name)) fields.push(target)
    added.add(target.name)
  }
  return { ...schema, fields }
}

/** Steps between plain names change one list in place, so that thousands of them take linear time. */
function applySteps(input: Schema, steps: readonly Renaming[], isCopy: boolean): Schema {
  let schema = input
  let chain: FieldChain | undefined
  for (const step of steps) {
    const [from, to] = [plainName(step.from), plainName(step.to)]
    if (from !== undefined && to !== undefined) {
      chain ??= new FieldChain(schema.fields)
      chain.rename(from, to, isCopy)
      continue
    }
    if (chain !== undefined) schema = { ...schema, fields: chain.list() }
    chain = undefined
    schema = applyStep(schema, step, isCopy)
  }
  return chain === undefined ? schema : { ...schema, fields: chain.list() }
}

export const renameOps: NodeOps<Rename> = unary({
  schema: (node, input) => applySteps(input, node.steps, node.isCopy),
  properties: (node) => rowForRow(node.steps.flatMap((step) => (node.isCopy ? [step.to] : [step.from, step.to]))),
  label: (node) =>
    `${node.isCopy ? 'copy ' : ''}${node.steps.map((s) => `${printFieldPattern(s.from)} as ${printFieldPattern(s.to)}`).join(', ')}`,
})

declare module '../kinds.ts' {
  interface PlanKinds {
    rename: Rename
  }
}
