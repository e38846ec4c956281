import { z } from 'zod'
import { inOrder, instant, integer, name, text } from '../schema.ts'

/** A matcher in the newer form of Alertmanager, in which two flags stand for `=`, `!=`, `=~` and `!~`. */
export interface SilenceMatcher {
  readonly name: string
  readonly value: string
  readonly isEqual: boolean
  readonly isRegex: boolean
}

/** Accepts `{name, value, isEqual, isRegex}` and the older `{Name, Type, Value}`; decoded to the former. */
export const silenceMatcher = z
  .object({
    name: name(),
    value: text().optional(),
    isEqual: z.boolean().optional(),
    isRegex: z.boolean().optional(),
    type: integer(0, 3).optional().describe('0 `=`, 1 `!=`, 2 `=~`, 3 `!~`; the older spelling of the two flags'),
  })
  .meta({ id: 'SilenceMatcher', description: 'A label and what it must be.' })
  .transform((matcher): SilenceMatcher => ({
    name: matcher.name,
    value: matcher.value ?? '',
    isEqual: matcher.isEqual ?? (matcher.type ?? 0) % 2 === 0,
    isRegex: matcher.isRegex ?? (matcher.type ?? 0) >= 2,
  }))

const members = {
  comment: text().optional(),
  BackendID: text().optional(),
  ClientID: text().optional(),
  matchers: z.array(silenceMatcher).optional(),
}

/** Body of silence create. */
export const silenceCreate = z
  .object({ startsAt: instant(), endsAt: instant(), ...members })
  .superRefine(inOrder('startsAt', 'endsAt', true))
  .meta({ id: 'SilenceCreate', description: 'A span of time in which matching alerts are suppressed.' })

/** Body of silence update: missing members keep their values. */
export const silenceUpdate = z
  .object({ startsAt: instant().optional(), endsAt: instant().optional(), ...members })
  .superRefine(inOrder('startsAt', 'endsAt', true))
  .meta({ id: 'SilenceUpdate', description: 'What to change of a silence.' })

/** Query parameters of silence list, as strings. */
export const silenceListParameters = z
  .object({ active: z.enum(['true', 'false']).optional(), limit: integer(0).optional(), skip: integer(0).default(0) })
  .meta({ id: 'SilenceListParameters', description: 'Which silences to list.' })

export const silenceRecord = z
  .looseObject({
    id: z.string(),
    startsAt: z.string().meta({ format: 'date-time' }),
    endsAt: z.string().meta({ format: 'date-time' }),
    comment: z.string(),
    matchers: z.array(z.object({ name: z.string(), value: z.string(), isEqual: z.boolean(), isRegex: z.boolean() })),
    active: z.boolean(),
    createdBy: z.string().optional(),
    createdByEmail: z.string().optional(),
    recurringSilenceId: z.string().nullable().optional(),
  })
  .meta({ id: 'SilenceRecord', description: 'A stored silence.' })

export type SilenceCreate = z.output<typeof silenceCreate>
export type SilenceUpdate = z.output<typeof silenceUpdate>
export type SilenceListParameters = z.output<typeof silenceListParameters>
export type SilenceRecord = z.output<typeof silenceRecord>
