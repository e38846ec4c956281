import { z } from 'zod'
import { nowhere } from '../../base/index.ts'
import { wireDiagnostic } from '../diagnostics.ts'
import { filterGroup, hasContent } from '../filter-group.ts'
import { raise } from '../issues.ts'
import { integer, mapOf, name, text, textOrScalar } from '../schema.ts'

/** Kinds of data that a scope can restrict separately. */
export const scopeKinds = ['logs', 'traces', 'events', 'metrics', 'workloads'] as const

export const advancedScope = z
  .object({
    logs: filterGroup.optional(),
    traces: filterGroup.optional(),
    events: filterGroup.optional(),
    metrics: filterGroup.optional(),
    workloads: filterGroup.optional(),
  })
  .meta({ id: 'AdvancedScope', description: 'A group per kind of data; a kind that is missing is unrestricted.' })

/** Rows that a policy allows: everything if neither member has content. */
export const dataScope = z
  .object({ simple: filterGroup.optional(), advanced: advancedScope.optional() })
  .superRefine((scope, context) => {
    const hasAdvanced = scopeKinds.some((kind) => hasContent(scope.advanced?.[kind]))
    if (!hasContent(scope.simple) || !hasAdvanced) return
    const what = '`simple` holds for every kind of data, `advanced` for each kind of its own.'
    raise(context, wireDiagnostic('one-of', { names: ['simple', 'advanced'], what }, nowhere))
  })
  .meta({ id: 'DataScope', description: 'The rows that a policy lets its users see.' })

const members = {
  name: name(),
  description: text().optional(),
  claimRole: text().optional(),
  role: mapOf(textOrScalar().nullable()).optional(),
  dataScope: dataScope.optional(),
}

/** Body of policy create. The keys of `role` are the roles. */
export const policyCreate = z.object(members).meta({ id: 'PolicyCreate', description: 'An access policy.' })

/** Body of policy update. Without `currentRevision` the update applies to any revision. */
export const policyUpdate = z
  .object({ ...members, currentRevision: integer(0).optional() })
  .meta({ id: 'PolicyUpdate', description: 'An access policy and the revision it replaces.' })

export const policyRecord = z
  .looseObject({
    uuid: z.string(),
    name: z.string(),
    description: z.string(),
    claimRole: z.string(),
    role: z.record(z.string(), z.string()),
    dataScope: z.unknown().meta({ type: 'object' }).optional(),
    revisionNumber: z.number().int(),
    readOnly: z.boolean(),
    tenantUuid: z.string().optional(),
    createdBy: z.string().optional(),
    createdTimestamp: z.string().optional(),
    updatedBy: z.string().optional(),
    updatedTimestamp: z.string().optional(),
    entityCount: z.number().int().optional(),
  })
  .meta({ id: 'PolicyRecord', description: 'A stored policy.' })

export type AdvancedScope = z.output<typeof advancedScope>
export type DataScope = z.output<typeof dataScope>
export type PolicyCreate = z.output<typeof policyCreate>
export type PolicyUpdate = z.output<typeof policyUpdate>
export type PolicyRecord = z.output<typeof policyRecord>
