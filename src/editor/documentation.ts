import type { FunctionDoc, FunctionDefinitions, Signature } from '../functions/index.ts'
import type { FeatureDoc, Vocabulary } from '../lang/log/index.ts'

/** Documentation of one name. */
export interface Documentation {
  readonly title: string
  /** Syntax of the named thing. */
  readonly form: string
  readonly summary: string
  readonly examples: readonly string[]
}

function ofFeature(title: string, doc: FeatureDoc): Documentation {
  return { title, form: doc.form, summary: doc.summary, examples: doc.examples.map(({ query }) => query) }
}

function ofFunction(
  name: string,
  title: string,
  definition: { readonly signature: Signature; readonly doc: FunctionDoc },
): Documentation {
  const { signature, doc } = definition
  const written = doc.parameters.map((parameter) => parameter.name)
  const params = written.length > 0 ? written : signature.params.map((parameter) => parameter.name)
  return {
    title,
    form: `${name}(${params.join(', ')})`,
    summary: doc.summary,
    examples: doc.examples.map(({ query }) => query),
  }
}

export function pipeNamed(name: string, vocabulary: Vocabulary): Documentation | undefined {
  const definition = vocabulary.pipes.find(({ names }) => names.includes(name.toLowerCase()))
  return definition && ofFeature(`pipe \`${definition.names[0]}\``, definition.doc)
}

export function filterNamed(name: string, vocabulary: Vocabulary): Documentation | undefined {
  const definition = vocabulary.filters.find(({ names }) => names.includes(name.toLowerCase()))
  return definition && ofFeature(`filter \`${name.toLowerCase()}\``, definition.doc)
}

export function statsFunctionNamed(name: string, functions: FunctionDefinitions): Documentation | undefined {
  const definition = functions.stats.get(name)
  return definition && ofFunction(name.toLowerCase(), `stats function \`${definition.name}\``, definition)
}

export function mathFunctionNamed(
  name: string,
  functions: FunctionDefinitions,
  vocabulary: Vocabulary,
): Documentation | undefined {
  const key = name.toLowerCase()
  const definition = vocabulary.math.has(key) ? functions.scalar.get(key) : undefined
  return definition && ofFunction(key, `math function \`${key}\``, definition)
}
