import { texts } from '../../app/texts.ts'
import { conditionsSpec } from '../../forms/filter-spec.ts'
import type { FormSection } from '../../forms/definition-editor.tsx'
import type { JsonObject } from '../../forms/model.ts'
import type { MemberSpec, ObjectSpec } from '../../forms/spec.ts'

const words = texts.monitors.form

const range: ObjectSpec = {
  name: 'relativeTimerange',
  label: words.range,
  kind: 'object',
  hint: words.rangeHint,
  isRare: true,
  members: () => [
    { name: 'from', label: words.from, kind: 'text', initial: '-5m' },
    { name: 'to', label: words.to, kind: 'text', initial: 'now' },
  ],
}

function metricMembers(): readonly MemberSpec[] {
  return [
    { name: 'metric', label: words.metric, kind: 'text' },
    { name: 'template', label: words.template, kind: 'text' },
    {
      name: 'function',
      label: words.function,
      kind: 'object',
      members: () => [
        { name: 'name', label: words.functionName, kind: 'text' },
        { name: 'args', label: words.args, kind: 'json' },
        { name: 'pipelines', label: words.inputs, kind: 'list', itemLabel: words.input, members: metricMembers },
      ],
    },
    conditionsSpec,
  ]
}

const query: readonly MemberSpec[] = [
  { name: 'name', label: words.name, kind: 'text' },
  {
    name: 'dataType',
    label: words.dataType,
    kind: 'word',
    options: ['logs', 'metrics', 'traces', 'events', 'workloads', 'clusters', 'apm'],
  },
  { name: 'expression', label: words.expression, kind: 'query', hint: words.expressionHint },
  { name: 'filters', label: words.filters, kind: 'text', hint: words.filtersHint, isWide: true },
  { name: 'queryType', label: words.queryType, kind: 'word', options: ['instant', 'range'], isRare: true },
  range,
  { name: 'evaluationDelay', label: words.delay, kind: 'number', hint: words.delayHint, isRare: true },
  { name: 'instantRollup', label: words.instantRollup, kind: 'text', isRare: true },
  {
    name: 'rollup',
    label: words.rollup,
    kind: 'object',
    isRare: true,
    members: () => [
      { name: 'function', label: words.functionName, kind: 'text', initial: 'avg' },
      { name: 'time', label: words.rollupTime, kind: 'text', initial: '5m' },
    ],
  },
  { ...conditionsSpec, isRare: true },
  { name: 'pipeline', label: words.metricPipeline, kind: 'object', members: metricMembers, isRare: true },
  { name: 'sqlPipeline', label: words.pipeline, kind: 'json', hint: words.pipelineHint, isRare: true },
  { name: 'datasourceType', label: words.sourceType, kind: 'text', isRare: true },
  { name: 'datasourceID', label: words.sourceId, kind: 'text', isRare: true },
]

const reducer: readonly MemberSpec[] = [
  { name: 'name', label: words.name, kind: 'text' },
  {
    name: 'type',
    label: words.reducerType,
    kind: 'word',
    options: [
      'last',
      'min',
      'max',
      'mean',
      'sum',
      'count',
      'math',
      'avg',
      'first',
      'median',
      'count_non_null',
      'diff',
      'diff_abs',
      'percent_diff',
      'percent_diff_abs',
    ],
  },
  { name: 'inputName', label: words.inputName, kind: 'text' },
  { name: 'expression', label: words.math, kind: 'text', hint: words.mathHint, isWide: true },
  range,
]

const operators = [
  'gt',
  'gte',
  'lt',
  'lte',
  'eq',
  'neq',
  'within_range',
  'outside_range',
  'within_range_included',
  'outside_range_included',
]

const threshold: readonly MemberSpec[] = [
  { name: 'name', label: words.name, kind: 'text' },
  { name: 'inputName', label: words.inputName, kind: 'text' },
  { name: 'operator', label: words.operator, kind: 'word', options: operators },
  { name: 'values', label: words.values, kind: 'numbers', hint: words.valuesHint },
  {
    name: 'customResolveThreshold',
    label: words.resolve,
    kind: 'object',
    hint: words.resolveHint,
    members: () => [
      {
        name: 'operator',
        label: words.operator,
        kind: 'word',
        options: ['gt', 'lt', 'within_range', 'outside_range'],
      },
      { name: 'values', label: words.values, kind: 'numbers' },
    ],
  },
  range,
]

const general: readonly MemberSpec[] = [
  { name: 'title', label: words.title, kind: 'text', isWide: true, hint: words.titleHint },
  { name: 'severity', label: words.severity, kind: 'text' },
  { name: 'team', label: words.team, kind: 'text' },
  { name: 'category', label: words.category, kind: 'text' },
  { name: 'isPaused', label: words.isPaused, kind: 'boolean', initial: 'false' },
]

const model: readonly MemberSpec[] = [
  {
    name: 'queries',
    label: words.queries,
    kind: 'list',
    itemLabel: words.query,
    members: () => query,
    create: () => ({ name: '', dataType: 'logs', expression: '' }),
  },
  { name: 'reducers', label: words.reducers, kind: 'list', itemLabel: words.reducer, members: () => reducer },
  {
    name: 'thresholds',
    label: words.thresholds,
    kind: 'list',
    itemLabel: words.threshold,
    members: () => threshold,
    create: () => ({ name: '', inputName: '', operator: 'gt', values: [0] }),
  },
]

/** All members of a monitor in the API specification, grouped by section of the form. */
export const monitorSections: readonly FormSection[] = [
  { title: words.general, members: general },
  {
    title: words.condition,
    note: words.conditionNote,
    members: [{ name: 'model', label: words.model, kind: 'object', isPlain: true, members: () => model }],
  },
  {
    title: words.evaluation,
    members: [
      {
        name: 'evaluationInterval',
        label: words.times,
        kind: 'object',
        isPlain: true,
        members: () => [
          { name: 'interval', label: words.interval, kind: 'text', initial: '1m' },
          { name: 'pendingFor', label: words.pendingFor, kind: 'text', initial: '0s' },
          { name: 'keepFiringFor', label: words.keepFiringFor, kind: 'text', initial: '0s' },
        ],
      },
      {
        name: 'noDataState',
        label: words.noData,
        kind: 'word',
        options: ['OK', 'NoData', 'Alerting', 'KeepLast'],
        initial: 'OK',
      },
      {
        name: 'executionErrorState',
        label: words.onError,
        kind: 'word',
        options: ['OK', 'Error', 'Alerting', 'KeepLast'],
        initial: 'OK',
      },
      { name: 'autoResolve', label: words.autoResolve, kind: 'boolean', initial: 'true', hint: words.autoResolveHint },
      { name: 'measurementType', label: words.measurement, kind: 'word', options: ['state', 'event'] },
    ],
  },
  {
    title: words.notification,
    note: words.notificationNote,
    members: [
      { name: 'routing', label: words.routing, kind: 'texts', hint: words.routingHint },
      { name: 'labels', label: words.labels, kind: 'map' },
      { name: 'annotations', label: words.annotations, kind: 'map' },
      {
        name: 'display',
        label: words.display,
        kind: 'object',
        isPlain: true,
        members: () => [
          { name: 'header', label: words.header, kind: 'text', isWide: true },
          { name: 'description', label: words.description, kind: 'lines', isWide: true },
          { name: 'resourceHeaderLabels', label: words.resourceLabels, kind: 'texts' },
          { name: 'contextHeaderLabels', label: words.contextLabels, kind: 'texts' },
          { name: 'templateLanguage', label: words.templateLanguage, kind: 'word', options: ['go', 'jinja2'] },
        ],
      },
    ],
  },
  {
    title: words.catalog,
    members: [
      {
        name: 'catalog',
        label: words.catalogEntry,
        kind: 'object',
        isPlain: true,
        members: () => [
          { name: 'id', label: words.id, kind: 'text' },
          { name: 'category', label: words.category, kind: 'text' },
          { name: 'tags', label: words.tags, kind: 'texts' },
          { name: 'version', label: words.version, kind: 'number' },
        ],
      },
    ],
  },
]

/** A minimal monitor, in which only title and query are missing. */
export const newMonitor: JsonObject = {
  title: '',
  evaluationInterval: { interval: '1m', pendingFor: '5m' },
  model: {
    queries: [{ name: 'q', dataType: 'logs', expression: '' }],
    thresholds: [{ name: 'limit', inputName: 'q', operator: 'gt', values: [0] }],
  },
}
