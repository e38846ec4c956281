import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'
import {
  ExpansionBudget,
  GoMap,
  Interpreter,
  builtinFunctions,
  isTrue,
  onStrings,
  onValue,
  type CallContext,
  type FunctionMap,
  type GoValue,
  type Nodes,
  type TemplateFunction,
} from '../../src/functions/go-template/index.ts'
import { parseGoTemplate } from '../../src/lang/go-template/index.ts'

/** The Helm chart, rendered by Sluice's Go template reader and the eight Helm functions that the chart uses. */
export const chartFolder = join(import.meta.dirname, '../../deploy/helm/sluice')

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }

/** Converts a YAML value to the value that Go reads. */
function goValue(value: Plain): GoValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(goValue)
  if (typeof value !== 'object' || value === null) return value
  return new GoMap(Object.entries(value).map(([name, each]) => [name, goValue(each)]))
}

function plainValue(value: GoValue): unknown {
  if (value instanceof GoMap)
    return Object.fromEntries(Array.from(value.entries, ([name, each]) => [name, plainValue(each)]))
  if (Array.isArray(value)) return value.map(plainValue)
  return typeof value === 'bigint' ? Number(value) : value
}

const indented = (count: bigint, text: string): string => text.replaceAll(/^/gm, ' '.repeat(Number(count)))

interface Context extends CallContext {
  readonly definitions: ReadonlyMap<string, Nodes>
}

const functions: FunctionMap<Context> = new Map<string, TemplateFunction<Context>>([
  ...builtinFunctions,
  ['default', { parameters: ['any', 'any'], call: ([other = null, value = null]) => (isTrue(value) ? value : other) }],
  [
    'include',
    {
      parameters: ['string', 'any'],
      call: ([name, dot = null], context) => expand(context.definitions.get(name as string) ?? [], dot, context),
    },
  ],
  ['indent', { parameters: ['int', 'string'], call: ([count, text]) => indented(count as bigint, text as string) }],
  [
    'nindent',
    { parameters: ['int', 'string'], call: ([count, text]) => `\n${indented(count as bigint, text as string)}` },
  ],
  ['quote', onStrings(1, (text = '') => JSON.stringify(text))],
  [
    'required',
    {
      parameters: ['string', 'any'],
      call: ([message, value = null]) => {
        if (!isTrue(value)) throw new Error(message as string)
        return value
      },
    },
  ],
  ['sha256sum', onStrings(1, (text = '') => createHash('sha256').update(text).digest('hex'))],
  ['toYaml', onValue((value) => stringify(plainValue(value)).trimEnd())],
])

function expand(nodes: Nodes, dot: GoValue, context: Context): string {
  const program = { nodes, definitions: [...context.definitions] }
  return new Interpreter(program, functions, context).expand(dot, new Map([['$', dot]]))
}

/** Parses a template. Throws the first parse error. */
function read(file: string): ReturnType<typeof parseGoTemplate> {
  const source = readFileSync(join(chartFolder, 'templates', file), 'utf8')
  return parseGoTemplate(source, {
    functions,
    variables: ['$'],
    depth: 50,
    report: ({ message }) => {
      throw new Error(`${file}: ${message}`)
    },
  })
}

export type Values = { readonly [name: string]: Plain }

export const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as Readonly<Record<string, string>>
export const defaultValues = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Values

/** Returns the files that `helm install sluice` would render from the default values and these, by file name. */
export function render(values: Values): ReadonlyMap<string, string> {
  const files = readdirSync(join(chartFolder, 'templates'))
  const programs = new Map(files.map((file) => [file, read(file)]))
  const definitions = new Map([...programs.values()].flatMap((program) => program.definitions))
  const dot = goValue({
    Values: { ...defaultValues, ...values },
    Chart: { Name: chart['name'] ?? '', Version: chart['version'] ?? '', AppVersion: chart['appVersion'] ?? '' },
    Release: { Name: 'logs', Namespace: 'monitoring', Service: 'Helm' },
  })
  const texts = Array.from(programs, ([file, { nodes }]) => {
    return [file, expand(nodes, dot, { budget: new ExpansionBudget(), definitions })] as const
  })
  return new Map(texts.filter(([file]) => !file.startsWith('_')))
}

/** A parsed Kubernetes manifest. */
export type Manifest = ReturnType<typeof parse>

/** Returns the manifests of the rendered chart by kind. Throws if a rendered file is not valid YAML. */
export function manifests(values: Values): Readonly<Record<string, Manifest>> {
  const texts = [...render(values)].flatMap(([file, text]) => (file.endsWith('.yaml') ? [text] : []))
  const documents = texts.flatMap((text) => parseAllDocuments(text))
  for (const { errors, warnings } of documents) for (const fault of [...errors, ...warnings]) throw fault
  const all = documents.map((document) => document.toJS())
  return Object.fromEntries(all.map((manifest) => [manifest.kind, manifest]))
}
