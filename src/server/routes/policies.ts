import { z } from 'zod'
import {
  readPolicyCreate,
  readPolicyUpdate,
  type PolicyBody,
  type PolicyService,
  type Sees,
} from '../../resources/index.ts'
import {
  decode,
  errorResponse,
  pageParameters,
  policyApply,
  policyCreate,
  policyRecord,
  policyUpdate,
  type PolicyRecord,
} from '../../wire/index.ts'
import type { Identity } from '../auth/auth.ts'
import type { ServerContext } from './definition/context.ts'
import { fault } from '../errors/http-fault.ts'
import { idOf } from './definition/parameters.ts'
import { actorOf } from '../resources/actor.ts'
import { ifMatch } from '../http/if-match.ts'
import { empty, exactText, json, jsonPage } from '../http/respond.ts'
import { defineRoute, type AnyRoute, type RouteCall, type RouteAnswer } from './definition/route.ts'

const NOT_FOUND: RouteAnswer = { status: 404, description: 'There is no such policy.', schema: errorResponse }
const NO_SPACE: RouteAnswer = {
  status: 507,
  description: 'The disk is full; nothing was changed.',
  schema: errorResponse,
}
const TAKEN: RouteAnswer = { status: 409, description: 'Another policy has the name.', schema: errorResponse }

function serviceOf(context: ServerContext): PolicyService {
  if (context.policies === undefined) throw fault('not-found', { what: 'path' })
  return context.policies
}

const seenBy = (identity: Identity): Sees => (identity.roles.has('admin') ? 'all' : 'own')

const check = ({ headers }: RouteCall<unknown>) => ifMatch(headers, (stored: PolicyRecord) => [exactText(stored)])

const isAvailable = (context: ServerContext): boolean => context.policies !== undefined

const list = defineRoute({
  name: 'listPolicies',
  method: 'GET',
  path: '/api/rbac/policies/list',
  summary:
    'List policies: all for administrators, else those of the caller; `X-Next-Skip` is the `skip` of the next page',
  role: 'read',
  parameters: [
    { name: 'limit', description: 'Maximum number of items.', schema: z.number().int().min(0) },
    { name: 'skip', description: 'Number of items to skip.', schema: z.number().int().min(0) },
  ],
  answers: [{ status: 200, description: 'The policies.', schema: z.array(policyRecord).meta({ id: 'PolicyList' }) }],
  isQuery: false,
  isTagged: true,
  isAvailable,
  handle: ({ query, identity, context, memory }) => {
    const { skip, limit } = decode(pageParameters, Object.fromEntries(query))
    const found = serviceOf(context).list(actorOf(identity), seenBy(identity))
    return jsonPage(found.slice(skip), { skip, limit, limitBytes: context.limits.answerBytes, memory })
  },
})

const read = defineRoute({
  name: 'getPolicy',
  method: 'GET',
  path: '/api/rbac/policy/{id}',
  summary: 'Read a policy',
  role: 'read',
  answers: [{ status: 200, description: 'The policy.', schema: policyRecord }, NOT_FOUND],
  isQuery: false,
  isTagged: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async (call) => json(serviceOf(call.context).read(actorOf(call.identity), idOf(call), seenBy(call.identity))),
})

const create: AnyRoute = {
  name: 'createPolicy',
  method: 'POST',
  path: '/api/rbac/policy/create',
  summary: 'Create a policy',
  role: 'admin',
  body: policyCreate,
  readBody: readPolicyCreate,
  answers: [{ status: 201, description: 'The policy.', schema: policyRecord }, TAKEN, NO_SPACE],
  isQuery: false,
  isAvailable,
  handle: async ({ body, identity, context }: RouteCall<PolicyBody>) =>
    json(await serviceOf(context).create(actorOf(identity), body), 201),
}

const update: AnyRoute = {
  name: 'updatePolicy',
  method: 'PUT',
  path: '/api/rbac/policy/{id}',
  summary: 'Update a policy at a revision (optimistic locking)',
  role: 'admin',
  body: policyUpdate,
  readBody: readPolicyUpdate,
  answers: [
    { status: 202, description: 'The policy.', schema: policyRecord },
    NOT_FOUND,
    { ...TAKEN, description: 'The revision is not the current one, or another policy has the name.' },
    NO_SPACE,
  ],
  isQuery: false,
  takesIfMatch: true,
  isAvailable,
  handle: async (call: RouteCall<PolicyBody>) =>
    json(await serviceOf(call.context).update(actorOf(call.identity), idOf(call), call.body, check(call)), 202),
}

const remove = defineRoute({
  name: 'deletePolicy',
  method: 'DELETE',
  path: '/api/rbac/policy/{id}',
  summary: 'Delete a policy',
  role: 'admin',
  answers: [{ status: 200, description: 'The policy is deleted.' }, NOT_FOUND],
  isQuery: false,
  takesIfMatch: true,
  isAvailable,
  handle: async (call) => {
    await serviceOf(call.context).remove(actorOf(call.identity), idOf(call), check(call))
    return empty()
  },
})

const apply = defineRoute({
  name: 'applyPolicies',
  method: 'POST',
  path: '/api/rbac/policy/apply',
  summary: 'Give policies to users',
  role: 'admin',
  body: policyApply,
  answers: [{ status: 200, description: 'The users have the policies.' }, NOT_FOUND, NO_SPACE],
  isQuery: false,
  isAvailable,
  handle: async ({ body, identity, context }) => {
    await serviceOf(context).apply(actorOf(identity), body)
    return empty()
  },
})

export const policyRoutes: readonly AnyRoute[] = [list, read, create, update, remove, apply]
