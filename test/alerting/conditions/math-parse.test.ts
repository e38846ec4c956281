import { describe, expect, test } from 'vitest'
import { parseMath } from '../../../src/alerting/conditions/index.ts'
import type { MathExpr } from '../../../src/alerting/conditions/math/ast.ts'
import { MathParser } from '../../../src/alerting/conditions/math/parse.ts'

test('the grammar of math has no ambiguity', () => {
  expect(() => new MathParser(true)).not.toThrow()
})

/** Prints an expression with parentheses around each operator, to show how the parser grouped it. */
function grouped(expr: MathExpr): string {
  switch (expr.kind) {
    case 'number':
      return String(expr.value)
    case 'name':
      return expr.name
    case 'call':
      return `${expr.call}(${grouped(expr.argument)})`
    case 'unary':
      return `(${expr.operator}${grouped(expr.operand)})`
    case 'binary':
      return `(${grouped(expr.left)} ${expr.operator} ${grouped(expr.right)})`
  }
}

function read(source: string): string {
  const { expr, diagnostics } = parseMath(source)
  return expr === undefined ? diagnostics.map(({ message }) => message).join('\n') : grouped(expr)
}

describe('precedence and grouping', () => {
  test.each([
    ['a || b && c', '(a || (b && c))'],
    ['a && b == c', '(a && (b == c))'],
    ['a < b + c', '(a < (b + c))'],
    ['a + b * c', '(a + (b * c))'],
    ['a * b ** c', '(a * (b ** c))'],
    ['-a ** 2', '((-a) ** 2)'],
    ['!a && b', '((!a) && b)'],
    ['2 ** -1', '(2 ** (-1))'],
    ['- - !a', '(-(-(!a)))'],
    ['a ** b ** c', '((a ** b) ** c)'],
    ['a - b - c', '((a - b) - c)'],
    ['a == b == c', '((a == b) == c)'],
    ['(a + b) * c', '((a + b) * c)'],
    ['abs(a - b) / c', '(abs((a - b)) / c)'],
  ])('%s is %s', (source, wanted) => {
    expect(read(source)).toBe(wanted)
  })
})

describe('names and numbers', () => {
  test.each([
    ['$a', 'a'],
    ['${a name}', 'a name'],
    ['a', 'a'],
    ['0x1F', '31'],
    ['0b101', '5'],
    ['017', '15'],
    ['1.5e3', '1500'],
    ['.5', '0.5'],
    ['inf()', 'Infinity'],
    ['infn()', '-Infinity'],
    ['nan()', 'NaN'],
    ['null()', 'undefined'],
  ])('%s is %s', (source, wanted) => {
    expect(read(source)).toBe(wanted)
  })
})

/**
 * Parses `before«marked»after` without the marks. Expects one diagnostic, which must cover exactly the marked part.
 * Returns its message, followed by its notes.
 */
function refusal(marked: string): string {
  const [before = '', fault = '', after = ''] = marked.split(/[«»]/)
  const { diagnostics } = parseMath(before + fault + after)
  const [diagnostic, ...others] = diagnostics
  if (diagnostic === undefined) expect.fail('is accepted')
  expect(others).toEqual([])
  expect(diagnostic.origin).toEqual({ kind: 'text', span: { start: before.length, end: before.length + fault.length } })
  return [diagnostic.message, ...diagnostic.notes].join(' ')
}

const operands = '`number`, `$name`, `${name}`, `name`, `(`'

describe('an expression is refused where the marked part begins', () => {
  test.each([
    ['«»', `The expression ends too early. Expected ${operands}.`],
    ['1 +«»', `The expression ends too early. Expected ${operands}.`],
    ['(1«»', 'The expression ends too early. Expected `)`.'],
    ['1«)»', '`)` does not belong here. Expected an operator or the end.'],
    ['1 «2»', '`2` does not belong here. Expected an operator or the end.'],
    ['1 + «*» 2', `\`*\` does not belong here. Expected ${operands}.`],
    ['«$» + 1', `\`$\` does not belong here. Expected ${operands}.`],
    ['1 + «🙂»', `\`🙂\` does not belong here. Expected ${operands}.`],
    ['abs(1«,» 2)', '`,` does not belong here. Expected `)`.'],
    ['1 + «absolute»(2)', 'There is no function named `absolute`. Did you mean `abs`?'],
    ['«inff»()', 'There is no function named `inff`. Did you mean `inf`, `infn`?'],
    ['«abs»()', '`abs` takes one argument. Write `abs($input)`.'],
    ['«nan»(1)', '`nan` takes no argument. Write `nan()`.'],
    ['1 + «09»', '`09` is not a number. A number with a leading 0 is octal: its digits go from 0 to 7.'],
  ])('%s', (marked, message) => {
    expect(refusal(marked)).toBe(message)
  })
})

describe('limits', () => {
  const nested = (depth: number, open: string): string => `${open.repeat(depth)}1${')'.repeat(depth)}`

  test.each(['(', 'abs(', '-('])('%s nests 64 levels deep, and not deeper', (open) => {
    expect(parseMath(nested(64, open)).expr).toBeDefined()
    const { diagnostics } = parseMath(nested(65, open))
    expect(diagnostics.map(({ message }) => message)).toEqual(['Parentheses nest deeper than 64.'])
  })

  test('an expression has at most 1000 tokens', () => {
    expect(parseMath(`1${'+1'.repeat(499)}`).expr).toBeDefined()
    expect(parseMath(`${'-'.repeat(999)}1`).expr).toBeDefined()
    expect(refusal(`1${'+1'.repeat(499)}+«1»`)).toBe('The expression has more than 1000 tokens.')
    expect(refusal(`${'('.repeat(1000)}«${'('.repeat(9000)}»`)).toBe('The expression has more than 1000 tokens.')
  })

  test('an error does not change how the next expression is read', () => {
    parseMath('((((1')
    parseMath(nested(65, '('))
    expect(read('a + 1')).toBe('(a + 1)')
  })
})
