import { definePipe, defineScalar, type Extension } from 'sluice'

const regions: Readonly<Record<string, string>> = { 'eu-': 'Europe', 'us-': 'America', 'ap-': 'Asia' }

/** `math region(zone)`: the part of the world of a zone of the cloud. */
const region = defineScalar({
  name: 'region',
  parameters: [{ name: 'zone', type: 'string' }],
  returns: 'string',
  evaluate: (zone) => regions[zone.slice(0, 3)] ?? 'elsewhere',
  doc: { summary: 'The part of the world of a zone, such as `eu-west-1`.' },
})

/** `| error_rate by (workload)`: made of pipes that exist, so that every backend runs it and the optimizer sees it. */
const errorRate = definePipe({
  name: 'error_rate',
  arguments: [{ name: 'field', type: 'field' }],
  expand: ({ field }) =>
    `stats by (${field}) count() as lines, count() if (level:error) as errors | math errors / lines as rate | sort by (rate desc)`,
  doc: { summary: 'The share of errors among the lines of each value of a field, the largest first.' },
})

export const ours: Extension = { scalars: [region], pipes: [errorRate] }
