import type { Interval } from '../../base/index.ts'
import type { Functions } from '../../functions/index.ts'
import { expressions, visit, visitExpr, type LogicalPlan } from '../../plan/index.ts'
import type { Acceptance, Backend } from '../backend.ts'
import { CannotCompile, type QueryBlock } from './block.ts'
import { makeBlock } from './blocks/index.ts'
import type { CompileContext } from './context.ts'

/** The inputs of `compileBlock` besides the plan. */
export interface BlockInput extends Pick<CompileContext, 'dialect' | 'host' | 'scan' | 'functions' | 'keepsEmptyKeys'> {
  readonly functions: Functions
  readonly range: Interval | undefined
  readonly isInterruptible: boolean
}

function hasSample(plan: LogicalPlan): boolean {
  let found = false
  visit(plan, (node) => {
    found ||= node.kind === 'sample'
  })
  return found
}

const CHANCE = 'a statement may compute an expression once or many times, so chance would not be one value a row'

/** Throws CannotCompile if the dialect cannot run a node, or a node calls an unknown function. */
function checkNode(node: LogicalPlan, { dialect, functions }: BlockInput): void {
  const reason = dialect.cannot[node.kind]
  if (reason !== undefined) throw new CannotCompile(node, reason)
  for (const root of node.kind === 'scan' && node.guard !== undefined
    ? [node.guard, ...expressions(node)]
    : expressions(node)) {
    visitExpr(root, (expr) => {
      if (expr.kind !== 'call') return
      const definition = functions.scalar.get(expr.name)
      if (definition === undefined) throw new CannotCompile(node, `there is no function \`${expr.name}\``)
      const refusal = definition.volatility === 'per-row' ? CHANCE : dialect.cannot[definition.name]
      if (refusal !== undefined) throw new CannotCompile(node, refusal)
    })
  }
}

/** Compiles a whole plan to a block, from which `finish` writes the statement. Throws CannotCompile. */
export function compileBlock(
  plan: LogicalPlan,
  input: BlockInput,
): { readonly block: QueryBlock; readonly context: CompileContext } {
  let aliases = 0
  const context: CompileContext = {
    ...input,
    needsRecord: hasSample(plan),
    block: (node) => {
      checkNode(node, input)
      if (node.kind === 'scan' && node.guardAbove !== undefined && node !== plan) {
        throw new CannotCompile(node, 'a part of its policy is tested above')
      }
      return makeBlock(node, context)
    },
    alias: (prefix) => `${prefix}${aliases++}`,
  }
  return { block: context.block(plan), context }
}

/** Returns an `accept` function that accepts exactly the plans that `compile` can compile. */
export function acceptanceBy(compile: (plan: LogicalPlan) => unknown): Backend['accept'] {
  return (plan): Acceptance => {
    try {
      compile(plan)
      return { kind: 'whole' }
    } catch (error) {
      if (error instanceof CannotCompile) return { kind: 'not', node: error.node, reason: error.reason }
      throw error
    }
  }
}
