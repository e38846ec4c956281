import { present, spanUnion, type Span } from '../../base/index.ts'
import { aggregationSignatures, seriesSignatures } from '../../plan/index.ts'
import type {
  Binary,
  BinaryOp,
  Call,
  Matcher,
  NumberLiteral,
  PromqlExpr,
  VectorMatching,
  VectorSelector,
} from './ast.ts'
import { SET_OPS } from './ast.ts'
import { promqlDiagnostic, type Report } from './diagnostics.ts'
import type { PromqlFeatures } from './features.ts'

/** The properties of a token that the builder needs: text and span. */
export interface Word {
  readonly text: string
  readonly span: Span
}

/** Grouping of an aggregation: `by (…)` or `without (…)`. */
export interface GroupingClause {
  readonly isWithout: boolean
  readonly labels: readonly string[]
}

/** Modifiers between a binary operator and its right operand. */
export interface BinaryModifiers {
  readonly isBool: boolean
  readonly matching: VectorMatching
}

export const PLAIN_MATCHING: VectorMatching = {
  cardinality: 'one-to-one',
  isOn: false,
  labels: [],
  include: [],
  fillLeft: undefined,
  fillRight: undefined,
}

/** Returns a placeholder node for a part with errors. Callers never receive a tree that contains placeholders. */
export function placeholder(span: Span): NumberLiteral {
  return { kind: 'number', valueType: 'scalar', value: NaN, isDuration: false, span }
}

export function isSetOp(op: BinaryOp): boolean {
  return (SET_OPS as readonly string[]).includes(op)
}

/** Builds the nodes of the syntax tree and reports errors. */
export class TreeBuilder {
  readonly #features: PromqlFeatures
  readonly #report: Report
  /**
   * Matching modifiers as written, of operators whose operands are not both vectors. The nodes of such operators have
   * no `matching`.
   */
  readonly modifiers = new Map<Binary, VectorMatching>()

  constructor(features: PromqlFeatures, report: Report) {
    this.#features = features
    this.#report = report
  }

  /** Builds a selector. A name before the braces becomes the last matcher. */
  selector(name: Word | undefined, matchers: readonly Matcher[], span: Span): VectorSelector {
    const nameMatcher: Matcher[] = name === undefined ? [] : [{ label: '__name__', op: '=', value: name.text }]
    return {
      kind: 'vector-selector',
      valueType: 'vector',
      name: name?.text ?? '',
      matchers: [...matchers, ...nameMatcher],
      offsetMs: 0,
      offsetExpr: undefined,
      at: undefined,
      extension: undefined,
      span,
    }
  }

  unary(op: '+' | '-', opSpan: Span, expr: PromqlExpr): PromqlExpr {
    const span = spanUnion(opSpan, expr.span)
    // The sign of a number literal becomes part of the literal.
    if (expr.kind === 'number') return { ...expr, value: op === '-' ? -expr.value : expr.value, span }
    return { kind: 'unary', valueType: expr.valueType, op, expr, span }
  }

  binary(op: BinaryOp, modifiers: BinaryModifiers, lhs: PromqlExpr, rhs: PromqlExpr): Binary {
    const span = spanUnion(lhs.span, rhs.span)
    const { matching } = modifiers
    const hasFill = matching.fillLeft !== undefined || matching.fillRight !== undefined
    if (hasFill && !this.#features.fillModifiers) this.#report(promqlDiagnostic('fill-off', undefined, span))
    const node = makeBinary(op, modifiers, lhs, rhs, span)
    if (node.matching === undefined && matching !== PLAIN_MATCHING) this.modifiers.set(node, matching)
    return node
  }

  call(name: Word, args: readonly PromqlExpr[], end: number): Call {
    const signature = seriesSignatures.get(name.text)
    if (signature === undefined) this.#report(promqlDiagnostic('unknown-function', { name: name.text }, name.span))
    else if (signature.isExperimental && !this.#features.experimentalFunctions) {
      this.#report(promqlDiagnostic('function-off', { name: name.text }, name.span))
    }
    const span = { start: name.span.start, end }
    return { kind: 'call', valueType: signature?.returns ?? 'vector', name: name.text, args, span }
  }

  aggregation(word: Word, grouping: GroupingClause | undefined, args: readonly PromqlExpr[], end: number): PromqlExpr {
    const op = word.text.toLowerCase()
    const span = { start: word.span.start, end }
    const signature = aggregationSignatures.get(op)
    if (args.length === 0) {
      this.#report(promqlDiagnostic('no-aggregation-arguments', undefined, span))
      return placeholder(span)
    }
    if (signature?.isExperimental === true && !this.#features.experimentalFunctions) {
      this.#report(promqlDiagnostic('aggregation-off', { name: op }, span))
      return placeholder(span)
    }
    const wanted = signature?.param === undefined ? 1 : 2
    if (args.length !== wanted) {
      this.#report(promqlDiagnostic('aggregation-arguments', { wanted, got: args.length }, span))
      return placeholder(span)
    }
    return {
      kind: 'aggregation',
      valueType: 'vector',
      op,
      expr: present(args[wanted - 1]),
      param: wanted === 2 ? args[0] : undefined,
      grouping: grouping?.labels ?? [],
      isWithout: grouping?.isWithout ?? false,
      span,
    }
  }
}

/**
 * Builds a binary operator. Set operators match many-to-many. The node has `matching` only if both sides are vectors.
 */
export function makeBinary(
  op: BinaryOp,
  modifiers: BinaryModifiers,
  lhs: PromqlExpr,
  rhs: PromqlExpr,
  span: Span,
): Binary {
  const isScalar = lhs.valueType === 'scalar' && rhs.valueType === 'scalar'
  const { matching, isBool } = modifiers
  const isMany = isSetOp(op) && matching.cardinality === 'one-to-one'
  return {
    kind: 'binary',
    valueType: isScalar ? 'scalar' : 'vector',
    op,
    lhs,
    rhs,
    isBool,
    matching:
      lhs.valueType !== 'vector' || rhs.valueType !== 'vector'
        ? undefined
        : isMany
          ? { ...matching, cardinality: 'many-to-many' }
          : matching,
    span,
  }
}
