import { z } from 'zod'

/** What became of the records of a body. */
export const ingestAnswer = z
  .object({
    accepted: z.number().int(),
    rejected: z.number().int(),
    errors: z.array(z.object({ line: z.number().int(), reason: z.string(), excerpt: z.string().optional() })),
    unreadableTimes: z.number().int().optional().meta({
      description:
        'Records whose time cannot be read, if any: they have the time of their arrival, and the text beside it.',
    }),
    unreadableTime: z.string().optional().meta({ description: 'What stands there in the first of them.' }),
  })
  .meta({ id: 'IngestAnswer', description: 'How many records were stored, how many refused, and why the first ones.' })

/** Bytes that the route itself reads. */
export const ingestBody = z
  .unknown()
  .meta({ id: 'IngestBody', description: 'Records as JSON lines, as one JSON document, as a table (CSV, TSV), or as Kubernetes events.' })

export const otlpBody = z
  .unknown()
  .meta({ id: 'OtlpBody', description: 'An export request of OTLP, as protobuf or as JSON.' })

export const otlpAnswer = z
  .looseObject({
    partialSuccess: z.looseObject({ errorMessage: z.string().optional() }).optional(),
  })
  .meta({ id: 'OtlpAnswer', description: 'Empty when everything was stored, else how many records were refused.' })

/** The same as protobuf, for senders that wrote protobuf. */
export const otlpAnswerBytes = z.string().meta({ format: 'binary' })

export type IngestAnswer = z.output<typeof ingestAnswer>
