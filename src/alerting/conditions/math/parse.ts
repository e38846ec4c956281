import { defineDiagnostics, nearestNames, span, type Diagnostic, type Span } from '../../../base/index.ts'
import {
  EOF,
  LanguageParser,
  LimitFault,
  SKIPPED,
  TokenBuilder,
  endToken,
  lazyLexer,
  type KitSession,
  type Mismatch,
  type Rule,
  type Token,
  type TokenType,
} from '../../../lang/kit/index.ts'
import { mathConstants, mathFunctions, type BinaryOperator, type MathExpr, type MathFunction } from './ast.ts'

/** Maximum nesting of parentheses, signs and calls; the parser recurses for each level. */
const MAX_DEPTH = 64

/** Maximum number of tokens in an expression. A chain of operators becomes a tree of the same depth. */
const MAX_TOKENS = 1000

const tokens = new TokenBuilder()
const DollarName = tokens.type('DollarName', '$name', [], { PATTERN: /\$[A-Za-z_][A-Za-z0-9_]*/ })
const BracedName = tokens.type('BracedName', '${name}', [], { PATTERN: /\$\{[^}]+\}/ })
const Name = tokens.type('Name', 'name', [], { PATTERN: /[A-Za-z_][A-Za-z0-9_]*/ })
const Numeral = tokens.type('Numeral', 'number', [], {
  PATTERN: /0[xX][0-9a-fA-F]+|0[bB][01]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/,
})
const marks = (...texts: readonly string[]): TokenType[] => texts.map((text) => tokens.punctuation(text, text))
const disjunctions = marks('||')
const conjunctions = marks('&&')
const comparisons = marks('<=', '>=', '==', '!=', '<', '>')
const powers = marks('**')
const products = marks('*', '/', '%')
const Minus = tokens.punctuation('-', '-')
const sums = [...marks('+'), Minus]
const Not = tokens.punctuation('!', '!')
const Open = tokens.punctuation('(', '(')
const Close = tokens.punctuation(')', ')')
const Stray = tokens.type('Stray', 'character', [], { PATTERN: /[\uD800-\uDBFF][\uDC00-\uDFFF]|[^]/ })
const Blank: TokenType = { name: 'Blank', PATTERN: /\s+/, GROUP: SKIPPED }

const lex = lazyLexer(() => [
  Blank,
  DollarName,
  BracedName,
  Name,
  Numeral,
  ...powers,
  ...products,
  ...comparisons,
  ...disjunctions,
  ...conjunctions,
  ...sums,
  Not,
  Open,
  Close,
  Stray,
])

export const mathDiagnostic = defineDiagnostics('math', {
  unexpected: (d: { found: string; expected: readonly string[] }) => ({
    message: `${d.found === '' ? 'The expression ends too early.' : `\`${d.found}\` does not belong here.`} Expected ${d.expected.join(', ')}.`,
  }),
  'too-deep': (d: { limit: number }) => ({ message: `Parentheses nest deeper than ${d.limit}.` }),
  'too-long': (d: { limit: number }) => ({ message: `The expression has more than ${d.limit} tokens.` }),
  'unknown-function': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no function named \`${d.name}\`.`,
    why: d.near.length === 0 ? [] : [`Did you mean ${d.near.map((name) => `\`${name}\``).join(', ')}?`],
  }),
  arguments: (d: { name: string; isFunction: boolean }) => ({
    message: d.isFunction ? `\`${d.name}\` takes one argument.` : `\`${d.name}\` takes no argument.`,
    why: d.isFunction ? `Write \`${d.name}($input)\`.` : `Write \`${d.name}()\`.`,
  }),
  'bad-number': (d: { text: string }) => ({
    message: `\`${d.text}\` is not a number.`,
    why: 'A number with a leading 0 is octal: its digits go from 0 to 7.',
  }),
})

function labelOf({ LABEL, name }: TokenType): string {
  if (name === EOF.name) return 'an operator or the end'
  return LABEL === undefined ? name : `\`${LABEL}\``
}

/** Parser of `math` expressions. With `isValidated`, the constructor throws for an ambiguous grammar; used by tests. */
export class MathParser extends LanguageParser<KitSession, Token> {
  constructor(isValidated = false) {
    const recording: KitSession = { source: '', limits: { depth: 0 }, report: () => undefined }
    super(recording, endToken(), {
      vocabulary: tokens.vocabulary,
      brackets: [[Open, Close]],
      resumeAt: [],
      isValidated,
    })
    this.build()
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const isEnd = token.tokenType.name === EOF.name
    return mathDiagnostic(
      'unexpected',
      { found: isEnd ? '' : token.image, expected: expected.map(labelOf) },
      this.tokenSpan(token),
    )
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return mathDiagnostic('too-deep', { limit }, where)
  }

  readonly call: Rule<[string, Span], MathExpr> = this.RULE('call', (name: string, where: Span) => {
    this.consume(Open)
    const argument = this.option(0, () => this.nested(() => this.subrule(this.disjunction)))
    this.consume(Close)
    return this.ACTION(() => {
      const isFunction = Object.hasOwn(mathFunctions, name)
      if (argument !== undefined && isFunction) return { kind: 'call', call: name as MathFunction, argument } as const
      if (argument === undefined && mathConstants.has(name))
        return { kind: 'number', value: mathConstants.get(name) } as const
      if (isFunction || mathConstants.has(name)) this.fail(mathDiagnostic('arguments', { name, isFunction }, where))
      const known = [...Object.keys(mathFunctions), ...mathConstants.keys()]
      this.fail(mathDiagnostic('unknown-function', { name, near: nearestNames(name, known) }, where))
    })
  })

  readonly named: Rule<[], MathExpr> = this.RULE('named', () => {
    const token = this.consume(Name)
    const where = this.ACTION(() => this.tokenSpan(token))
    const call = this.option(0, () => this.subrule(this.call, token.image, where))
    return call ?? this.ACTION(() => ({ kind: 'name', name: token.image, span: where }) as const)
  })

  readonly parentheses: Rule<[], MathExpr> = this.RULE('parentheses', () => {
    this.consume(Open)
    const inner = this.nested(() => this.subrule(this.disjunction))
    this.consume(Close)
    return inner
  })

  readonly primary: Rule<[], MathExpr> = this.RULE('primary', () =>
    this.or(0, [
      {
        ALT: () => {
          const token = this.consume(Numeral)
          return this.ACTION(() => this.#number(token))
        },
      },
      {
        ALT: () => {
          const token = this.consume(DollarName)
          return this.ACTION(() => this.#reference(token, token.image.slice(1)))
        },
      },
      {
        ALT: () => {
          const token = this.consume(BracedName)
          return this.ACTION(() => this.#reference(token, token.image.slice(2, -1).trim()))
        },
      },
      { ALT: () => this.subrule(this.named) },
      { ALT: () => this.subrule(this.parentheses) },
    ]),
  )

  readonly unary: Rule<[], MathExpr> = this.RULE('unary', () => {
    const signs: Token[] = []
    this.many(0, () => {
      signs.push(this.or(0, [{ ALT: () => this.consume(Minus) }, { ALT: () => this.consume(Not) }]))
    })
    const operand = this.subrule(this.primary)
    return this.ACTION(() =>
      signs.reduceRight<MathExpr>(
        (inner, { image }) => ({ kind: 'unary', operator: image === '-' ? '-' : '!', operand: inner }),
        operand,
      ),
    )
  })

  // Operators from highest to lowest precedence. All are left-associative, including `**` (Grafana's grammar).
  readonly power: Rule<[], MathExpr> = this.#leftToRight('power', powers, this.unary)
  readonly product: Rule<[], MathExpr> = this.#leftToRight('product', products, this.power)
  readonly sum: Rule<[], MathExpr> = this.#leftToRight('sum', sums, this.product)
  readonly comparison: Rule<[], MathExpr> = this.#leftToRight('comparison', comparisons, this.sum)
  readonly conjunction: Rule<[], MathExpr> = this.#leftToRight('conjunction', conjunctions, this.comparison)
  readonly disjunction: Rule<[], MathExpr> = this.#leftToRight('disjunction', disjunctions, this.conjunction)

  /** Returns `undefined` if there is no expression; the session has the error. */
  readonly expression: Rule<[], MathExpr | undefined> = this.RULE('expression', () =>
    this.attempt<MathExpr | undefined>(
      () => {
        const found = this.subrule(this.disjunction)
        this.expectNext([EOF])
        return found
      },
      () => undefined,
    ),
  )

  #leftToRight(name: string, operators: readonly TokenType[], operand: Rule<[], MathExpr>): Rule<[], MathExpr> {
    return this.RULE(name, () => {
      let left = this.subrule(operand)
      this.many(0, () => {
        const { image } = this.or(
          0,
          operators.map((type) => ({ ALT: () => this.consume(type) })),
        )
        const right = this.subrule(operand)
        left = { kind: 'binary', operator: image as BinaryOperator, left, right }
      })
      return left
    })
  }

  #reference(token: Token, name: string): MathExpr {
    return { kind: 'name', name, span: this.tokenSpan(token) }
  }

  #number(token: Token): MathExpr {
    const { image } = token
    const isOctal = /^0[0-9]+$/.test(image)
    const value = Number(isOctal ? `0o${image.slice(1)}` : image)
    if (Number.isNaN(value)) this.fail(mathDiagnostic('bad-number', { text: image }, this.tokenSpan(token)))
    return { kind: 'number', value }
  }
}

let parser: MathParser | undefined

/** A parsed expression, or the errors. */
export type ParsedMath =
  | { readonly expr: MathExpr; readonly diagnostics: readonly [] }
  | { readonly expr: undefined; readonly diagnostics: readonly Diagnostic[] }

/** Parses the expression of a `math` reducer. The language is that of Grafana's math expressions. */
export function parseMath(source: string): ParsedMath {
  parser ??= new MathParser()
  const { tokens: found } = lex(source)
  if (found.length > MAX_TOKENS) {
    const where = span(found[MAX_TOKENS]?.startOffset ?? 0, source.length)
    return { expr: undefined, diagnostics: [mathDiagnostic('too-long', { limit: MAX_TOKENS }, where)] }
  }
  const diagnostics: Diagnostic[] = []
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic)
  try {
    const expr = parser.read(parser.expression, found, { source, limits: { depth: MAX_DEPTH }, report })
    return expr === undefined ? { expr, diagnostics } : { expr, diagnostics: [] }
  } catch (error) {
    if (!(error instanceof LimitFault)) throw error
    return { expr: undefined, diagnostics: [error.diagnostic] }
  }
}
