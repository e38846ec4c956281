import { always, nowhere, type Diagnostic, type JsonValue } from '../../base/index.ts'
import type { Pipeline } from '../../wire/index.ts'
import { parameterNames } from '../log/open-parameters.ts'
import type { Placeholders } from '../placeholders.ts'
import type { FunctionNames } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { bindJson, parameterJson, placeholdersOf } from './parameters.ts'
import { readPipeline } from './read-pipeline.ts'
import { lowerSearch } from './search.ts'
import { pipelineToText, type PipelineText } from './to-text/to-text.ts'

function faultsOf(body: unknown, functions: FunctionNames): readonly Diagnostic[] {
  return lowerSearch({
    table: 'logs',
    query: undefined,
    filters: undefined,
    sources: undefined,
    pipeline: readPipeline(body),
    pipelinePath: [],
    range: always,
    functions,
  }).diagnostics
}

/** Finds stand-in values for the parameters of a parsed body; `undefined` if the body has no parameters. */
export function openBody(body: unknown, functions: FunctionNames): Placeholders | undefined {
  return placeholdersOf(body, (bound) => faultsOf(bound, functions))
}

function onBothSides<T>(body: unknown, { values }: Placeholders, read: (pipeline: Pipeline) => T): readonly [T, T] {
  const side = (which: 0 | 1): T => read(readPipeline(bindJson(body, values(which)).body))
  return [side(0), side(1)]
}

/** Error text for a parameter that must have a value, because the value decides the structure of the query. */
const DECIDED = 'a parameter whose value decides the form of the query'

/**
 * Converts a parsed body to a query text; parameters appear as `$name`. Throws SluiceError if the body is not a
 * pipeline.
 */
export function bodyToText(body: unknown, functions: FunctionNames): PipelineText {
  const open = openBody(body, functions)
  if (open === undefined) return pipelineToText(readPipeline(body), functions)
  const [one, other] = onBothSides(body, open, (pipeline) => pipelineToText(pipeline, functions, open))
  const diagnostics = [...one.diagnostics]
  const text = open.text([one.text, other.text])
  const kept = text === undefined ? [] : parameterNames(text)
  if (diagnostics.length === 0 && !open.names.every((name) => kept.includes(name))) {
    diagnostics.push(jsonDiagnostic('no-text', { what: DECIDED }, nowhere))
  }
  return { text: text ?? one.text, diagnostics }
}

/**
 * Formats a body as indented JSON, with member names spelt as in the specification; parameters stay parameters. Throws
 * SluiceError if the body is not a pipeline.
 */
export function formatBody(body: unknown): string {
  const open = placeholdersOf(body, (bound) => {
    readPipeline(bound)
    return []
  })
  if (open === undefined) return JSON.stringify(readPipeline(body), null, 2)
  const [one, other] = onBothSides(body, open, (pipeline) => pipeline as JsonValue)
  return JSON.stringify(open.json(one, other, parameterJson) ?? body, null, 2)
}
