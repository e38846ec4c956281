import { MAX_INT64 } from '../../base/index.ts'
import { ExpansionFault, type FaultLocation } from './faults.ts'
import { outputText } from './format/format-value.ts'
import {
  ArgumentFault,
  checkArguments,
  type CallContext,
  type FunctionMap,
  type ParameterType,
  type TemplateFunction,
} from './builtins/definition.ts'
import { methodOf } from './builtins/methods.ts'
import { GoInt64, GoMap, GoStruct, isList, isTrue, typeName, type GoValue } from './values.ts'
import type { Command, ConditionNode, Node, Nodes, Operand, Pipeline, Program, RangeNode } from './ast.ts'
import { commandText, operandText, pipelineText } from './node-text.ts'

/** How the expansion of a node list ended: after its last node, or early by a jump of the enclosing `range`. */
type End = 'end' | 'break' | 'continue'

/**
 * The arguments of a command, which are evaluated on demand. The last one may be a piped value, which has no operand.
 */
interface Arguments {
  readonly operands: readonly Operand[]
  readonly values: () => readonly GoValue[]
}

const NO_ARGUMENTS: Arguments = { operands: [], values: () => [] }

interface Variable {
  readonly name: string
  value: GoValue
}

/** Expands one program. Each expansion needs a new instance. */
export class Interpreter<C extends CallContext> {
  readonly #program: Program
  readonly #functions: FunctionMap<C>
  readonly #context: C
  #variables: Variable[] = []
  #output = ''

  constructor(program: Program, functions: FunctionMap<C>, context: C) {
    this.#program = program
    this.#functions = functions
    this.#context = context
  }

  /**
   * Returns the output. `dot` is the initial value of `.`, and `variables` are the initial variables. Throws
   * ExpansionFault, and all errors that functions throw.
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
        if (node.pipeline.variables.length === 0) {
          at(locationOf(node.pipeline), () => this.#write(outputText(value)))
        }
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

  /** Expands a block. Variables that it declares end with the block. */
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
    const { variables } = over
    const value = this.#evaluate(over, dot, true)
    const count = this.#variables.length
    let isEmpty = true
    for (const [key, member] of this.#membersOf(value, over)) {
      isEmpty = false
      this.#context.budget.step()
      const values = variables.length === 2 ? [key, member] : [member]
      for (const [i, name] of variables.entries()) this.#set(name, values[i] ?? null, over)
      const end = this.#expandNodes(body, member)
      this.#variables.length = count
      if (end === 'break') break
    }
    return isEmpty ? this.#expandNodes(otherwise, dot) : 'end'
  }

  /**
   * Returns the keys and values over which a `range` iterates. The numbers below a large integer are generated lazily;
   * the budget limits the loop.
   */
  #membersOf(value: GoValue, over: Pipeline): Iterable<readonly [GoValue, GoValue]> {
    if (value === null) return []
    if (value instanceof GoMap) return value.entries
    if (isList(value)) return value.map((member, i) => [BigInt(i), member] as const)
    const count = value instanceof GoInt64 ? value.value : value
    if (typeof count === 'bigint' && over.variables.length < 2) return countTo(count)
    const reason = typeof count === 'bigint' ? ' with two variables' : ''
    throw new ExpansionFault(`range cannot iterate over a value of type ${typeName(value)}${reason}`, {
      location: locationOf(over)(),
      go: `range can't iterate over ${outputText(value)}`,
    })
  }

  #call(name: string, dot: GoValue, offset: number): void {
    const text = `{{template ${JSON.stringify(name)}}}`
    const location = { offset, go: { offset, text } }
    const nodes = this.#program.definitions.find(([known]) => known === name)?.[1]
    if (nodes === undefined) {
      const go = `template ${JSON.stringify(name)} not defined`
      throw new ExpansionFault(`there is no template named ${JSON.stringify(name)}`, { location, go })
    }
    const outer = this.#variables
    this.#variables = [{ name: '$', value: dot }]
    at(location, () => inTemplate(name, () => this.#context.budget.nested(() => this.#expandNodes(nodes, dot))))
    this.#variables = outer
  }

  #find(name: string, location?: FaultLocation): Variable {
    const variable = this.#variables.findLast((known) => known.name === name)
    if (variable === undefined)
      throw new ExpansionFault(`there is no variable ${name}`, {
        ...(location !== undefined && { location }),
        go: `undefined variable: ${name}`,
      })
    return variable
  }

  #set(name: string, value: GoValue, pipeline: Pipeline): void {
    if (pipeline.isAssignment) this.#find(name, locationOf(pipeline)()).value = value
    else this.#variables.push({ name, value })
  }

  /** Evaluates a pipeline and sets its variables, except in a `range`, whose loop sets them. */
  #evaluate(pipeline: Pipeline, dot: GoValue, isRange = false): GoValue {
    const { commands, variables } = pipeline
    let piped: readonly GoValue[] = []
    for (const command of commands) piped = [this.#run(command, dot, piped)]
    const [value = null] = piped
    if (!isRange) for (const name of variables) this.#set(name, value, pipeline)
    return value
  }

  /** Evaluates a command. `piped` holds the value of the previous command of the pipeline, if there is one. */
  #run(command: Command, dot: GoValue, piped: readonly GoValue[]): GoValue {
    const { operands, offset } = command
    return at(
      () => ({ offset, go: { offset, text: commandText(command) } }),
      () => {
        const [first, ...rest] = operands
        if (first === undefined) return null
        const isName = first.base.kind === 'function' && first.fields.length === 0
        if (isName && (first.base.name === 'and' || first.base.name === 'or')) {
          return this.#runLogic(first.base.name, rest, dot, piped)
        }
        if (first.base.kind === 'nil') throw new ExpansionFault('nil is not a command')
        const values = (): readonly GoValue[] => [...rest.map((operand) => this.#value(operand, dot)), ...piped]
        return this.#value(first, dot, { operands: rest, values })
      },
    )
  }

  /** Evaluates `and` or `or`. Arguments after the one that decides the result are not evaluated. */
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

  /** Evaluates an operand. `args` are the command's arguments if the operand is its first one. */
  #value(operand: Operand, dot: GoValue, args?: Arguments): GoValue {
    const { base, fields } = operand
    this.#context.budget.step()
    // A fault inside a function is reported at the whole command.
    const isCall = base.kind === 'function' && fields.length === 0 && args !== undefined
    return at(isCall ? undefined : locationOf(operand), () => {
      // Only the last field of a command is called with the arguments.
      const last = fields.length === 0 ? args : undefined
      let value: GoValue
      if (base.kind === 'function') value = this.#callNamed(base.name, last ?? NO_ARGUMENTS, operand)
      else {
        value = this.#baseValue(base, dot)
        const isData = base.kind === 'dot' || (base.kind === 'variable' && base.name === '$')
        // In a template called without data, the data is nil, and reading a field of it is not an error.
        if (value === null && isData && fields.length > 0) return null
        if (last !== undefined && last.values().length > 0) {
          const go = `can't give argument to non-function ${operandText(operand)}`
          throw new ExpansionFault(`cannot give an argument to a value of type ${typeName(value)}`, { go })
        }
      }
      for (const [i, name] of fields.entries()) {
        value = this.#member(value, name, i === fields.length - 1 ? (args?.values() ?? []) : [])
      }
      return value
    })
  }

  #callNamed(name: string, { operands, values }: Arguments, operand: Operand): GoValue {
    // `and` and `or` as an operand of another command have no arguments.
    const known = this.#functions.get(name)
    const location = { offset: operand.offset, go: { offset: operand.offset, text: name } }
    if (known === undefined) {
      throw new ExpansionFault(`wrong number of args for ${name}: want at least 1 got 0`, { location })
    }
    const args = values()
    try {
      checkArguments(name, known, args)
    } catch (error) {
      throw error instanceof ArgumentFault ? argumentFault(error, operands, location) : error
    }
    const value = this.#callFunction(name, known, args)
    if (typeof value === 'string') this.#context.budget.checkLength(value.length)
    return value
  }

  #callFunction(name: string, known: TemplateFunction<C>, args: readonly GoValue[]): GoValue {
    try {
      return known.call(args, this.#context)
    } catch (error) {
      if (!(error instanceof ExpansionFault)) throw error
      throw new ExpansionFault(error.message, { go: `error calling ${name}: ${error.go}` })
    }
  }

  #baseValue(base: Exclude<Operand['base'], { kind: 'function' }>, dot: GoValue): GoValue {
    switch (base.kind) {
      case 'dot':
        return dot
      case 'nil':
        return null
      case 'constant':
        return base.value
      case 'integer': {
        const value = BigInt(base.digits)
        if (value > MAX_INT64) throw new ExpansionFault(`${base.digits} overflows int`)
        return value
      }
      case 'variable':
        return this.#find(base.name).value
      case 'pipeline':
        return this.#context.budget.nested(() => this.#evaluate(base.pipeline, dot))
    }
  }

  /** Returns a field, the value of a map key, or the result of a method. */
  #member(value: GoValue, name: string, args: readonly GoValue[]): GoValue {
    const method = methodOf(value, name)
    if (method !== undefined) {
      checkArguments(name, method, [value, ...args])
      return method.call([value, ...args], this.#context)
    }
    if (args.length > 0) throw new ExpansionFault(`${name} is not a method but has arguments`)
    if (value instanceof GoMap) return value.get(name)
    const field = value instanceof GoStruct ? value.fields.get(name) : undefined
    if (field === undefined) {
      const owner = value === null ? 'a missing value' : `a value of type ${typeName(value)}`
      const go =
        value === null
          ? `nil data; no entry for key ${JSON.stringify(name)}`
          : `can't evaluate field ${name} in type ${typeName(value)}`
      throw new ExpansionFault(`${owner} has no field ${name}`, { go })
    }
    return field
  }
}

/** Type names in Go's messages about a constant of the wrong type. */
const EXPECTED: Readonly<Partial<Record<ParameterType, string>>> = {
  string: 'string',
  int: 'integer',
  float64: 'float',
}

/**
 * Returns the fault of an argument, with the location that Go reports. For a piped value this is the operand evaluated
 * last.
 */
function argumentFault(fault: ArgumentFault, operands: readonly Operand[], call: FaultLocation): ExpansionFault {
  const { index, type, message } = fault
  if (index === undefined) return new ExpansionFault(message, { location: call })
  const operand = operands[index]
  const last = operand ?? operands.at(-1)
  const go = last === undefined ? call.go : locationOf(last)().go
  const location = { offset: call.offset, ...(go !== undefined && { go }) }
  const isConstant = operand !== undefined && (operand.base.kind === 'constant' || operand.base.kind === 'integer')
  if (!isConstant) return new ExpansionFault(message, { location, go: fault.go })
  const text = operandText(operand)
  const expected = EXPECTED[type]
  const reason =
    expected === undefined ? `can't handle ${text} for arg of type time.Time` : `expected ${expected}; found ${text}`
  return new ExpansionFault(message, { location, go: reason })
}

type LocationSource = FaultLocation | (() => FaultLocation) | undefined

/** Runs an evaluation. If it throws a fault without a location, the fault gets `location`. */
function at<R>(location: LocationSource, evaluate: () => R): R {
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof ExpansionFault) || error.location !== undefined || location === undefined) throw error
    const found = typeof location === 'function' ? location() : location
    throw new ExpansionFault(error.message, { location: found, go: error.go })
  }
}

/** Expands a called template. Adds the template's name to the location of a fault. */
function inTemplate<R>(template: string, expand: () => R): R {
  try {
    return expand()
  } catch (error) {
    const go = error instanceof ExpansionFault ? error.location?.go : undefined
    if (!(error instanceof ExpansionFault) || error.location === undefined || go === undefined) throw error
    const location = { offset: error.location.offset, go: { template, ...go } }
    throw new ExpansionFault(error.message, { location, go: error.go })
  }
}

/** Returns a function that computes the location of a part. Lazy, because only faults need the text of the part. */
function locationOf(operand: Operand | Pipeline): () => FaultLocation {
  return () => ({
    offset: operand.offset,
    go:
      'base' in operand
        ? { offset: operand.goOffset, text: operandText(operand) }
        : { offset: operand.offset, text: pipelineText(operand) },
  })
}

function* countTo(end: bigint): Generator<readonly [GoValue, GoValue]> {
  for (let i = 0n; i < end; i++) yield [i, i]
}
