import { SluiceError, spanOf } from '../../../base/index.ts'
import { Labels, METRIC_NAME } from '../../../data/index.ts'
import {
  parsePromqlOrThrow,
  printDurationMs,
  printPromql,
  quoteText,
  renderPromqlError,
} from '../../../lang/promql/index.ts'
import { readLogRule, type LogRule } from '../logs/log-rule.ts'
import type { GroupDefinition, Rule } from '../rule.ts'
import { TemplateError } from '../../templates/index.ts'
import { parseTemplate, type TextTemplate } from '../text-template.ts'
import { YamlDocument, type YamlValue } from '../../yaml/index.ts'

const GROUP_MEMBERS = ['name', 'interval', 'query_offset', 'limit', 'labels', 'rules', 'type'] as const
const RULE_MEMBERS = ['record', 'alert', 'expr', 'for', 'keep_firing_for', 'labels', 'annotations'] as const
const ALERTING_MEMBERS = ['for', 'keep_firing_for', 'annotations'] as const

/** Parses label names and values. A name must not be empty or `__name__`. */
function readLabels(value: YamlValue): ReadonlyMap<string, string> {
  for (const [name, label] of value.entries()) {
    if (name === '' || name === METRIC_NAME)
      label.faultAtName(`${quoteText(name)} cannot be the name of a label. Choose another name.`)
  }
  return value.texts()
}

interface Expression {
  readonly text: string
  readonly log: LogRule | undefined
}

/** Parses an expression. If it is invalid, returns the text as written. */
function readExpression(value: YamlValue, isLog: boolean): Expression {
  const text = value.text()
  try {
    if (isLog) return { text: text.trim(), log: readLogRule(text) }
    if (text === '') value.fault('A rule needs an expression in `expr`.')
    else return { text: printPromql(parsePromqlOrThrow(text)), log: undefined }
  } catch (error) {
    const [first] = error instanceof SluiceError ? error.diagnostics : []
    if (first === undefined) throw error
    const message = isLog ? first.message : renderPromqlError(first, text)
    value.faultInText(`The expression cannot be read: ${message}`, spanOf(first.origin)?.start ?? 0)
  }
  return { text, log: undefined }
}

/** Definitions of the additional variables in templates of log rules. */
function logVariables(expression: string, forMs: number): string {
  return `{{ $expr := ${quoteText(expression)} }}{{ $for := ${quoteText(printDurationMs(forMs))} }}`
}

/** Parses the templates of a mapping of strings; `prefix` defines variables. */
function readTemplates(value: YamlValue, prefix: string): readonly TextTemplate[] {
  const templates: TextTemplate[] = []
  for (const [name, entry] of value.entries()) {
    try {
      templates.push(parseTemplate(name, entry.text(), prefix))
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      entry.faultInText(`The template cannot be read: ${error.message}`, Math.max(0, error.offset - prefix.length))
    }
  }
  return templates
}

/**
 * Parses the templates of group labels. An error becomes the value of the label, since it affects all rules of the
 * group.
 */
function groupTemplates(labels: ReadonlyMap<string, string>, prefix: string): readonly TextTemplate[] {
  return [...labels].map(([name, text]) => {
    try {
      return parseTemplate(name, text, prefix)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      const expanded = Promise.resolve(`<error expanding template: ${error.message}>`)
      return { name, expand: () => expanded }
    }
  })
}

function readRule(value: YamlValue, groupLabels: ReadonlyMap<string, string>, isLog: boolean): Rule {
  const member = value.members('a rule', RULE_MEMBERS)
  const [alert, record] = [member('alert').text(), member('record').text()]
  if (alert === '' && record === '') value.fault('A rule needs a name in `alert` or `record`.')
  if (alert !== '' && record !== '') member('record').fault('A rule has `alert` or `record`, not both.')
  const { text: expression, log } = readExpression(member('expr'), isLog)
  const ownLabels = readLabels(member('labels'))
  const labels = Labels.from([...groupLabels, ...ownLabels])
  const [forMs, keepFiringForMs] = [member('for').durationMs(), member('keep_firing_for').durationMs()]
  const annotations = member('annotations').texts()
  if (alert === '') {
    if (/[{}]/.test(record))
      member('record').fault('A recorded metric has no braces in its name. Write the selector in `expr`.')
    const isSet = { for: forMs > 0, keep_firing_for: keepFiringForMs > 0, annotations: annotations.size > 0 }
    for (const name of ALERTING_MEMBERS)
      if (isSet[name]) member(name).fault(`\`${name}\` is for alerts. Remove it from the recording rule.`)
    return { kind: 'recording', name: record, expression, log, labels }
  }
  for (const [name, entry] of member('annotations').entries())
    if (name === '') entry.faultAtName('An annotation needs a name.')
  const prefix = isLog ? logVariables(expression, forMs) : ''
  const inherited = new Map([...groupLabels].filter(([name]) => !ownLabels.has(name)))
  return {
    kind: 'alerting',
    name: alert,
    expression,
    log,
    labels,
    forMs,
    keepFiringForMs,
    annotations: Labels.from(annotations),
    labelTemplates: [...groupTemplates(inherited, prefix), ...readTemplates(member('labels'), prefix)],
    annotationTemplates: readTemplates(member('annotations'), prefix),
  }
}

function readGroup(value: YamlValue, names: Set<string>): GroupDefinition {
  const member = value.members('a group', GROUP_MEMBERS)
  const name = member('name').text()
  if (name === '') value.fault('A group needs a `name`.')
  else if (names.has(name)) member('name').fault(`The file has two groups named ${quoteText(name)}. Rename one.`)
  names.add(name)
  const type = member('type').text()
  if (!['', 'prometheus', 'vlogs'].includes(type))
    member('type').fault(`${quoteText(type)} is not a type of groups. Write \`prometheus\` or \`vlogs\`.`)
  const labels = readLabels(member('labels'))
  const rules = member('rules')
    .items()
    .map((rule) => readRule(rule, labels, type === 'vlogs'))
  const intervalMs = member('interval').durationMs()
  return {
    name,
    intervalMs: intervalMs === 0 ? undefined : intervalMs,
    queryOffsetMs: member('query_offset').durationMs(),
    limit: member('limit').integer(),
    rules,
  }
}

/**
 * Parses a Prometheus rule file, YAML or JSON. Expressions in a group with `type: vlogs` are log queries. Throws
 * SluiceError with all errors and their positions.
 */
export function readRules(text: string): readonly GroupDefinition[] {
  const document = YamlDocument.parse(text)
  const names = new Set<string>()
  const groups = document.root
    .members('a rule file', ['groups'])('groups')
    .items()
    .map((group) => readGroup(group, names))
  document.throwFaults()
  return groups
}
