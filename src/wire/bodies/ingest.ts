import { z } from 'zod'
import { errorResponse } from '../error-response.ts'

/** Counts of stored and rejected records of a body. */
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
    timelessRecords: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Records without a time, if any: they have the time of their arrival.' }),
    likelyTimeField: z.string().optional().meta({
      description: 'A field whose value looks like a time in one of them; `X-Sluice-Time-Field` makes it the time.',
    }),
    widerRecords: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Records of a table with values behind its last named column, if any.' }),
    narrowerRecords: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Records of a table with fewer cells than it has columns, if any.' }),
    doubledColumn: z
      .string()
      .optional()
      .meta({ description: 'The first name that several columns have, if any: the second gets `_2` behind it.' }),
  })
  .meta({ id: 'IngestAnswer', description: 'How many records were stored, how many refused, and why the first ones.' })

/** Bytes that the route parses itself. */
export const ingestBody = z.unknown().meta({
  id: 'IngestBody',
  description: 'Records as JSON lines, as one JSON document, as a table (CSV, TSV), or as Kubernetes events.',
})

const errorItem = z.looseObject({ type: z.string(), reason: z.string().optional() })

const bulkResult = z.looseObject({
  _index: z.string().optional(),
  status: z.number().int(),
  result: z.string().optional(),
  error: errorItem.optional(),
})

/** Answer of a bulk request, with the result of each action. */
export const bulkAnswer = z
  .object({
    took: z.number().int(),
    errors: z.boolean(),
    items: z.array(z.record(z.string(), bulkResult)),
  })
  .meta({ id: 'BulkAnswer', description: 'What became of each action, in their order, under the word of the action.' })

/** Description of the server for clients of the bulk API. */
export const bulkServerAnswer = z
  .looseObject({ name: z.string(), version: z.looseObject({ number: z.string() }), tagline: z.string() })
  .meta({ id: 'BulkServerAnswer', description: 'What clients of the bulk API want to know before they send.' })

export const bulkLicenseAnswer = z
  .object({ license: z.object({ uid: z.string(), type: z.string(), status: z.string() }) })
  .meta({ id: 'BulkLicenseAnswer', description: 'What some clients of the bulk API ask before they send.' })

export const bulkHealthAnswer = z
  .looseObject({ cluster_name: z.string(), status: z.string() })
  .meta({ id: 'BulkHealthAnswer', description: 'That requests are welcome.' })

/** A template, policy or pipeline that a client of the bulk API wants to create. */
export const bulkSetUp = z
  .looseObject({})
  .meta({ id: 'BulkSetUp', description: 'What a client of the bulk API wants to set up.' })

/** Answer to a request that creates a template or the like. Nothing is stored. */
export const bulkSetupAnswer = z
  .object({ acknowledged: z.boolean().optional() })
  .meta({ id: 'BulkSetupAnswer', description: 'Records need no preparation here: what is sent is taken and ignored.' })

/** Error envelope with the further members that clients of the bulk API expect. */
export const bulkError = errorResponse
  .extend({ status: z.number().int(), error: errorItem.extend({ root_cause: z.array(errorItem) }) })
  .meta({ id: 'BulkError', description: 'What went wrong, as clients of the bulk API read it as well.' })

/** Answer of an event collector; `code` is 0 for success. */
export const collectorAnswer = z
  .looseObject({ text: z.string(), code: z.number().int() })
  .meta({ id: 'CollectorAnswer', description: 'What became of the events, in a word and a number of the protocol.' })

/** Ids of the requests whose acknowledgement a client of an event collector polls. */
export const collectorAsked = z
  .object({ acks: z.array(z.number().int().min(0)).max(10_000) })
  .meta({ id: 'CollectorAsked', description: 'Numbers that answers to requests with a channel had as `ackId`.' })

export const collectorAcknowledged = z
  .object({ acks: z.record(z.string(), z.boolean()) })
  .meta({ id: 'CollectorAcknowledged', description: 'Of each number, whether its events are stored.' })

/**
 * Error envelope with the further members that clients of event collectors expect; `code` is a number of their
 * protocol.
 */
export const collectorError = errorResponse
  .extend({
    text: z.string(),
    code: z.number().int(),
    'invalid-event-number': z.number().int().optional(),
  })
  .meta({ id: 'CollectorError', description: 'What went wrong, as clients of event collectors read it as well.' })

/** Answer of the Datadog intake: empty if all records are stored. */
export const intakeAnswer = z
  .object({ rejected: z.number().int().optional(), errors: z.array(z.string()).optional() })
  .meta({ id: 'IntakeAnswer', description: 'Empty when all is stored, else how much was refused.' })

export const intakeKeyAnswer = z
  .object({ valid: z.literal(true) })
  .meta({ id: 'IntakeKeyAnswer', description: 'The key is known.' })

/** Error envelope with the further members that clients of the Datadog intake expect. */
export const intakeError = errorResponse
  .extend({ errors: z.array(z.object({ status: z.string(), title: z.string(), detail: z.string() })) })
  .meta({ id: 'IntakeError', description: 'What went wrong, as clients of the intake of logs read it as well.' })

export const otlpBody = z
  .unknown()
  .meta({ id: 'OtlpBody', description: 'An export request of OTLP, as protobuf or as JSON.' })

export const otlpAnswer = z
  .looseObject({
    partialSuccess: z.looseObject({ errorMessage: z.string().optional() }).optional(),
  })
  .meta({ id: 'OtlpAnswer', description: 'Empty when everything was stored, else how many records were refused.' })

/** An error of OTLP over HTTP. */
export const otlpError = z
  .object({ code: z.number().int(), message: z.string(), details: z.array(z.looseObject({ '@type': z.string() })) })
  .meta({ id: 'OtlpError', description: 'A `google.rpc.Status`; it says when to try again, where that may help.' })

/** OTLP answer or error as protobuf, for senders that use protobuf. */
export const otlpAnswerBytes = z.string().meta({ format: 'binary' })

export type IngestAnswer = z.output<typeof ingestAnswer>
