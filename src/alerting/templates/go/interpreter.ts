import { MAX_INT64 } from '../../../base/index.ts'
import { ExpansionFault } from '../faults.ts'
import { outputText } from '../format/format-value.ts'
import { callFunction, methodOf, templateFunctions, type CallContext } from '../functions/index.ts'
import { GoMap, GoStruct, isList, isTrue, typeName, type GoValue } from '../values.ts'
import type { Command, ConditionNode, Node, Nodes, Operand, Pipeline, Program, RangeNode } from './ast.ts'

/** How a list of nodes ended: at its end, or early inside a `range`. */
type End = 'end' | 'break' | 'continue'

interface Variable {
  readonly name: string
  value: GoValue
}

/** Expands one program. An instance serves one expansion. */
export class Interpreter {
  readonly #program: Program
  readonly #context: CallContext
  #variables: Variable[] = []
  #output = ''

  constructor(program: Program, context: CallContext) {
    this.#program = program
    this.#context = context
  }

  /**
   * Returns the output for a value of dot. `variables` are those that the template starts with. Throws ExpansionFault,
   * and whatever `query` of the context throws.
   */
  expand(dot: GoValue, variables: ReadonlyMap<string, GoValue>): string {
    this.#variables = Array.from(variables, ([name, value]) => ({ name, value }))
    this.#expandNodes(this.#program.nodes, dot)
    return this.#output
  }

  #write(text: string): void {
    this.#context.budget.checkLength(this.#output.length + text.length)
    this.#output += text
  }

  #expandNodes(nodes: Nodes, dot: GoValue): End {
    for (const node of nodes) {
      const end = this.#expandNode(node, dot)
      if (end !== 'end') return end
    }
    return 'end'
  }

  #expandNode(node: Node, dot: GoValue): End {
    this.#context.budget.step()
    switch (node.kind) {
      case 'text':
        this.#write(node.text)
        return 'end'
      case 'output': {
        const value = this.#evaluate(node.pipeline, dot)
        const { variables, offset } = node.pipeline
        if (variables.length === 0) at(offset, () => this.#write(outputText(value)))
        return 'end'
      }
      case 'if':
      case 'with':
        return this.#scoped(() => this.#expandCondition(node, dot))
      case 'range':
        return this.#scoped(() => this.#expandRange(node, dot))
      case 'template':
        this.#call(node.name, node.data === undefined ? null : this.#evaluate(node.data, dot), node.offset)
        return 'end'
      default:
        return node.kind
    }
  }

  /** Expands a block; its variables end with it. */
  #scoped<R>(expand: () => R): R {
    const count = this.#variables.length
    const result = this.#context.budget.nested(expand)
    this.#variables.length = count
    return result
  }

  #expandCondition({ kind, branches, otherwise }: ConditionNode, dot: GoValue): End {
    for (const { condition, body } of branches) {
      this.#context.budget.step()
      const value = this.#evaluate(condition, dot)
      if (isTrue(value)) return this.#expandNodes(body, kind === 'with' ? value : dot)
    }
    return this.#expandNodes(otherwise, dot)
  }

  #expandRange({ over, body, otherwise }: RangeNode, dot: GoValue): End {
    const { variables, isAssignment } = over
    const value = this.#evaluate(over, dot, true)
    const count = this.#variables.length
    let isEmpty = true
    for (const [key, member] of this.#membersOf(value, over)) {
      isEmpty = false
      this.#context.budget.step()
      const values = variables.length === 2 ? [key, member] : [member]
      for (const [i, name] of variables.entries()) this.#set(name, values[i] ?? null, isAssignment, over.offset)
      const end = this.#expandNodes(body, member)
      this.#variables.length = count
      if (end === 'break') break
    }
    return isEmpty ? this.#expandNodes(otherwise, dot) : 'end'
  }

  /** Returns keys and values to iterate over. A large integer is cheap, since the budget ends the loop. */
  #membersOf(value: GoValue, { offset, variables }: Pipeline): Iterable<readonly [GoValue, GoValue]> {
    if (value === null) return []
    if (value instanceof GoMap) return value.entries
    if (isList(value)) return value.map((member, i) => [BigInt(i), member] as const)
    if (typeof value === 'bigint' && variables.length < 2) return countTo(value)
    const reason = typeof value === 'bigint' ? ' with two variables' : ''
    throw new ExpansionFault(`range cannot iterate over a value of type ${typeName(value)}${reason}`, offset)
  }

  #call(name: string, dot: GoValue, offset: number): void {
    const nodes = this.#program.definitions.get(name)
    if (nodes === undefined) throw new ExpansionFault(`there is no template named ${JSON.stringify(name)}`, offset)
    const outer = this.#variables
    this.#variables = [{ name: '$', value: dot }]
    at(offset, () => this.#context.budget.nested(() => this.#expandNodes(nodes, dot)))
    this.#variables = outer
  }

  #find(name: string, offset?: number): Variable {
    const variable = this.#variables.findLast((known) => known.name === name)
    if (variable === undefined) throw new ExpansionFault(`there is no variable ${name}`, offset)
    return variable
  }

  #set(name: string, value: GoValue, isAssignment: boolean, offset: number): void {
    if (isAssignment) this.#find(name, offset).value = value
    else this.#variables.push({ name, value })
  }

  /** Evaluates a pipeline. The variables of a `range` get their values from the loop instead. */
  #evaluate({ commands, variables, isAssignment, offset }: Pipeline, dot: GoValue, isRange = false): GoValue {
    let piped: readonly GoValue[] = []
    for (const command of commands) piped = [this.#run(command, dot, piped)]
    const [value = null] = piped
    if (!isRange) for (const name of variables) this.#set(name, value, isAssignment, offset)
    return value
  }

  /** Evaluates a command; `piped` holds the value of the command before it, if there is one. */
  #run({ operands, offset }: Command, dot: GoValue, piped: readonly GoValue[]): GoValue {
    return at(offset, () => {
      const [first, ...rest] = operands
      if (first === undefined) return null
      const isName = first.base.kind === 'function' && first.fields.length === 0
      if (isName && (first.base.name === 'and' || first.base.name === 'or')) {
        return this.#runLogic(first.base.name, rest, dot, piped)
      }
      if (first.base.kind === 'nil') throw new ExpansionFault('nil is not a command')
      return this.#value(first, dot, () => [...rest.map((operand) => this.#value(operand, dot)), ...piped])
    })
  }

  /** Evaluates `and` or `or`, whose arguments after the deciding one are not evaluated. */
  #runLogic(name: 'and' | 'or', operands: readonly Operand[], dot: GoValue, piped: readonly GoValue[]): GoValue {
    if (operands.length + piped.length === 0) {
      throw new ExpansionFault(`wrong number of args for ${name}: want at least 1 got 0`)
    }
    let value: GoValue = null
    for (const operand of operands) {
      value = this.#value(operand, dot)
      if (isTrue(value) === (name === 'or')) return value
    }
    return piped[0] ?? value
  }

  /** Evaluates an operand. `argumentsOf` returns the arguments of a command; without it there are none. */
  #value({ base, fields, offset }: Operand, dot: GoValue, argumentsOf?: () => readonly GoValue[]): GoValue {
    this.#context.budget.step()
    return at(offset, () => {
      // Only the last part of a command is called with its arguments.
      const last = fields.length === 0 ? argumentsOf : undefined
      let value: GoValue
      if (base.kind === 'function') value = this.#callNamed(base.name, last?.() ?? [])
      else {
        value = this.#baseValue(base, dot)
        const isData = base.kind === 'dot' || (base.kind === 'variable' && base.name === '$')
        // A template that is called without data has no fields, but asking for one is no error.
        if (value === null && isData && fields.length > 0) return null
        if (last !== undefined && last().length > 0) {
          throw new ExpansionFault(`cannot give an argument to a value of type ${typeName(value)}`)
        }
      }
      for (const [i, name] of fields.entries()) {
        value = this.#member(value, name, i === fields.length - 1 ? (argumentsOf?.() ?? []) : [])
      }
      return value
    })
  }

  #callNamed(name: string, args: readonly GoValue[]): GoValue {
    // As an operand of another command, `and` and `or` have no arguments.
    const known = templateFunctions.get(name)
    if (known === undefined) throw new ExpansionFault(`wrong number of args for ${name}: want at least 1 got 0`)
    const value = callFunction(name, known, args, this.#context)
    if (typeof value === 'string') this.#context.budget.checkLength(value.length)
    return value
  }

  #baseValue(base: Exclude<Operand['base'], { kind: 'function' }>, dot: GoValue): GoValue {
    switch (base.kind) {
      case 'dot':
        return dot
      case 'nil':
        return null
      case 'constant':
        if (typeof base.value === 'bigint' && base.value > MAX_INT64)
          throw new ExpansionFault(`${base.value} overflows int`)
        return base.value
      case 'variable':
        return this.#find(base.name).value
      case 'pipeline':
        return this.#context.budget.nested(() => this.#evaluate(base.pipeline, dot))
    }
  }

  /** Returns a field, the value of a key, or the result of a method. */
  #member(value: GoValue, name: string, args: readonly GoValue[]): GoValue {
    const method = methodOf(value, name)
    if (method !== undefined) return callFunction(name, method, [value, ...args], this.#context)
    if (args.length > 0) throw new ExpansionFault(`${name} is not a method but has arguments`)
    if (value instanceof GoMap) return value.get(name)
    const field = value instanceof GoStruct ? value.fields.get(name) : undefined
    if (field === undefined) {
      const owner = value === null ? 'a missing value' : `a value of type ${typeName(value)}`
      throw new ExpansionFault(`${owner} has no field ${name}`)
    }
    return field
  }
}

/** Runs an evaluation; a fault without an offset gets this one. */
function at<R>(offset: number, evaluate: () => R): R {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof ExpansionFault && error.offset === undefined) throw new ExpansionFault(error.message, offset)
    throw error
  }
}

function* countTo(end: bigint): Generator<readonly [GoValue, GoValue]> {
  for (let i = 0n; i < end; i++) yield [i, i]
}
