import type { ExpansionBudget } from '../limits.ts'
import { ExpansionFault } from '../faults.ts'
import { GoMap, GoStruct, isList, isTrue, typeName, type GoList, type GoValue } from '../values.ts'
import type { Expression, ForNode, IfNode, Nodes } from './ast.ts'
import { filters, numberOf, scalar, textOf } from './filters.ts'

type Scope = ReadonlyMap<string, GoValue>

const methods: ReadonlyMap<string, (map: GoMap) => GoList> = new Map([
  ['items', ({ entries }: GoMap) => [...entries]],
  ['keys', ({ entries }: GoMap) => [...entries.keys()]],
  ['values', ({ entries }: GoMap) => [...entries.values()]],
])

/** Expands Jinja templates. An instance serves one expansion. */
export class Interpreter {
  readonly #budget: ExpansionBudget
  #output = ''

  constructor(budget: ExpansionBudget) {
    this.#budget = budget
  }

  /** Returns the output. Throws ExpansionFault. */
  expand(nodes: Nodes, scope: Scope): string {
    this.#expandNodes(nodes, scope)
    return this.#output
  }

  #write(text: string): void {
    this.#budget.checkLength(this.#output.length + text.length)
    this.#output += text
  }

  #expandNodes(nodes: Nodes, scope: Scope): void {
    for (const node of nodes) {
      this.#budget.step()
      if (node.kind === 'text') this.#write(node.text)
      else if (node.kind === 'output') this.#write(textOf(this.#evaluate(node.expression, scope)))
      else if (node.kind === 'if') this.#expandIf(node, scope)
      else this.#expandFor(node, scope)
    }
  }

  #expandIf({ branches, otherwise }: IfNode, scope: Scope): void {
    const branch = branches.find(({ condition }) => isTrue(scalar(this.#evaluate(condition, scope))))
    this.#expandNodes(branch?.body ?? otherwise, scope)
  }

  #expandFor({ names, over, body, otherwise }: ForNode, scope: Scope): void {
    const value = this.#evaluate(over, scope)
    const members = value instanceof GoMap ? [...value.entries.keys()] : isList(value) ? value : []
    for (const member of members) {
      this.#budget.step()
      const values = names.length === 1 ? [member] : isList(member) ? member : []
      const added = names.map((name, i) => [name, values[i] ?? null] as const)
      this.#expandNodes(body, new Map([...scope, ...added]))
    }
    if (members.length === 0) this.#expandNodes(otherwise, scope)
  }

  #evaluate(expression: Expression, scope: Scope): GoValue {
    this.#budget.step()
    switch (expression.kind) {
      case 'constant':
        return expression.value
      case 'name':
        return scope.get(expression.name) ?? null
      case 'member':
        return memberOf(this.#evaluate(expression.of, scope), this.#evaluate(expression.key, scope))
      case 'method': {
        const value = this.#evaluate(expression.of, scope)
        const method = value instanceof GoMap ? methods.get(expression.name) : undefined
        if (method !== undefined) return method(value as GoMap)
        throw new ExpansionFault(
          `a value of type ${typeName(value)} has no method ${expression.name}`,
          expression.offset,
        )
      }
      case 'filter':
        return this.#filter(expression, scope)
      case 'unary': {
        const value = this.#evaluate(expression.of, scope)
        return expression.op === 'not' ? !isTrue(scalar(value)) : calculate('-', 0n, value, expression.offset)
      }
      case 'binary':
        return this.#binary(expression, scope)
      case 'choice': {
        const isChosen = isTrue(scalar(this.#evaluate(expression.condition, scope)))
        return this.#evaluate(isChosen ? expression.value : expression.otherwise, scope)
      }
    }
  }

  #filter({ of, name, args, offset }: Extract<Expression, { kind: 'filter' }>, scope: Scope): GoValue {
    const value = scalar(this.#evaluate(of, scope))
    const given = args.map((arg) => scalar(this.#evaluate(arg, scope)))
    try {
      // An unknown filter in a condition or loop leaves the value as it is.
      const result = filters.get(name)?.(value, given) ?? value
      if (typeof result === 'string') this.#budget.checkLength(result.length)
      return result
    } catch (error) {
      if (error instanceof ExpansionFault) throw new ExpansionFault(error.message, offset)
      throw error
    }
  }

  #binary({ op, left, right, offset }: Extract<Expression, { kind: 'binary' }>, scope: Scope): GoValue {
    const first = this.#evaluate(left, scope)
    if (op === 'and' || op === 'or') {
      return isTrue(scalar(first)) === (op === 'or') ? first : this.#evaluate(right, scope)
    }
    const second = this.#evaluate(right, scope)
    switch (op) {
      case '==':
        return isSame(first, second)
      case '!=':
        return !isSame(first, second)
      case 'in':
        return isIn(first, second)
      case '<':
      case '<=':
      case '>':
      case '>=':
        return compare(op, first, second, offset)
      default:
        return calculate(op, first, second, offset)
    }
  }
}

function memberOf(value: GoValue, key: GoValue): GoValue {
  if (value instanceof GoMap || value instanceof GoStruct) {
    const members = value instanceof GoMap ? value.entries : value.fields
    return members.get(textOf(key)) ?? null
  }
  return isList(value) && typeof key === 'bigint' ? (value[Number(key)] ?? null) : null
}

function isNumeric(value: GoValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isSame(a: GoValue, b: GoValue): boolean {
  const [left, right] = [scalar(a), scalar(b)]
  // The loose comparison is exact between integers and other numbers.
  // oxlint-disable-next-line eqeqeq
  return isNumeric(left) && isNumeric(right) ? left == right : left === right
}

function isIn(member: GoValue, container: GoValue): boolean {
  if (typeof container === 'string') return container.includes(textOf(member))
  if (container instanceof GoMap) return container.entries.has(textOf(member))
  return isList(container) && container.some((each) => isSame(each, member))
}

function compare(op: '<' | '<=' | '>' | '>=', a: GoValue, b: GoValue, offset: number): boolean {
  const [left, right] = [scalar(a), scalar(b)]
  const isComparable = (isNumeric(left) && isNumeric(right)) || (typeof left === 'string' && typeof right === 'string')
  if (!isComparable) {
    throw new ExpansionFault(`\`${op}\` cannot compare ${typeName(left)} and ${typeName(right)}`, offset)
  }
  if (op === '<') return left! < right!
  if (op === '<=') return left! <= right!
  return op === '>' ? left! > right! : left! >= right!
}

function calculate(op: string, a: GoValue, b: GoValue, offset: number): GoValue {
  const [left, right] = [scalar(a), scalar(b)]
  if (op === '+' && typeof left === 'string' && typeof right === 'string') return left + right
  if (!isNumeric(left) || !isNumeric(right)) {
    throw new ExpansionFault(`\`${op}\` cannot calculate with ${typeName(left)} and ${typeName(right)}`, offset)
  }
  const [x, y] = [numberOf(left) ?? NaN, numberOf(right) ?? NaN]
  if ((op === '/' || op === '%') && y === 0) throw new ExpansionFault('division by zero', offset)
  const result =
    op === '+' ? x + y : op === '-' ? x - y : op === '*' ? x * y : op === '/' ? x / y : x - y * Math.floor(x / y)
  const isWhole = typeof left === 'bigint' && typeof right === 'bigint' && op !== '/' && Number.isSafeInteger(result)
  return isWhole ? BigInt(result) : result
}
