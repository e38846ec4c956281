import { Options, nowhere, SluiceError } from '../../base/index.ts'
import type { CustomPipeDefinition } from './custom/definition.ts'
import type { AnyFilterDefinition, FeatureDoc } from './definition.ts'
import { logDiagnostic } from './diagnostics.ts'
import { filterDefinitions } from './filters/index.ts'
import { mathFunctions, type MathForm, type MathForms } from './math/expression.ts'
import { logParser } from './parser.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { isReserved } from './reserved.ts'
import { runningForms, statsForms, userForm, type LiteralType, type StatsForms } from './stats/call.ts'
import { keywordOf } from './tokens.ts'

/** Names and documentation of a pipe, without its grammar. */
export interface PipeEntry {
  readonly names: readonly string[]
  readonly isNativeOnly?: boolean
  readonly doc: FeatureDoc
}

/** All pipes and functions that a query may use: standard and user-defined. */
export interface Vocabulary {
  /** All pipes, standard ones first. */
  readonly pipes: readonly PipeEntry[]
  readonly filters: readonly AnyFilterDefinition[]
  /** Functions that the pipe `math` may call, by name. */
  readonly math: MathForms
  readonly stats: StatsForms
  /** Functions that `running_stats` and `total_stats` may call, by name. */
  readonly running: StatsForms
  /** User-defined pipes by name. */
  readonly customPipes: ReadonlyMap<string, CustomPipeDefinition>
}

export const standardVocabulary: Vocabulary = {
  pipes: pipeDefinitions,
  filters: filterDefinitions,
  math: mathFunctions,
  stats: statsForms,
  running: runningForms,
  customPipes: new Map(),
}

/** Syntax of a function call. */
export interface FunctionForm {
  readonly name: string
  readonly signature: {
    /** Literal parameters that precede the columns in a call. */
    readonly params: readonly { readonly type: string }[]
    readonly minArgs: number
    readonly maxArgs: number
  }
}

export interface VocabularyOptions {
  readonly pipes?: readonly CustomPipeDefinition[]
  readonly scalars?: readonly FunctionForm[]
  readonly stats?: readonly FunctionForm[]
}

const vocabularyOptions = new Options<VocabularyOptions>({ pipes: 'list', scalars: 'list', stats: 'list' })

function literalsOf({ signature }: FunctionForm): readonly LiteralType[] {
  return signature.params.map(({ type }) => (type === 'number' ? 'number' : 'string'))
}

function mathForm(form: FunctionForm): MathForm {
  const literals = literalsOf(form)
  const { minArgs, maxArgs } = form.signature
  return { min: literals.length + minArgs, max: literals.length + maxArgs, literals }
}

/** Returns the reason why a user's definition cannot have a name; `undefined` if the name is allowed. */
export function faultOfName(name: string): string | undefined {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) return 'a name has small letters, digits and `_`, and begins with no digit'
  // The parser is built first, because building it registers the keywords, which user definitions cannot have as names.
  logParser()
  const isTaken = isReserved(name) || keywordOf(name) !== undefined
  return isTaken ? 'the language has a pipe, function or keyword of this name' : undefined
}

function checkNames(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    const reason = faultOfName(name) ?? (seen.has(name) ? 'two definitions have this name' : undefined)
    if (reason !== undefined) throw new SluiceError([logDiagnostic('bad-definition', { name, reason }, nowhere)])
    seen.add(name)
  }
}

/**
 * Returns the standard vocabulary extended by user definitions. Throws `log/bad-definition` for names that are taken.
 */
export function vocabularyOf(options: VocabularyOptions): Vocabulary {
  vocabularyOptions.check(options, '`vocabularyOf`')
  const { pipes = [], scalars = [], stats = [] } = options
  if (pipes.length + scalars.length + stats.length === 0) return standardVocabulary
  checkNames([...pipes, ...scalars, ...stats].map(({ name }) => name))
  const own = new Map(stats.map((each) => [each.name, userForm(literalsOf(each), each.signature)] as const))
  return {
    pipes: [...pipeDefinitions, ...pipes.map(({ name, doc }) => ({ names: [name], isNativeOnly: true, doc }))],
    filters: filterDefinitions,
    math: new Map([...mathFunctions, ...scalars.map((each) => [each.name, mathForm(each)] as const)]),
    stats: new Map([...statsForms, ...own]),
    running: new Map([...runningForms, ...own]),
    customPipes: new Map(pipes.map((each) => [each.name, each])),
  }
}
