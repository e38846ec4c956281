import { z } from 'zod'
import { formatRfc3339, MS_NS } from '../../base/index.ts'
import { keyRecord, type KeyEntry } from '../../wire/index.ts'
import { publicId } from '../auth/auth.ts'
import type { KeyRecord } from '../auth/keys.ts'
import { json } from '../http/respond.ts'
import { defineRoute } from './definition/route.ts'

function entryOf(record: KeyRecord, usedMs: number | undefined): KeyEntry {
  const { email, roles, backends } = record
  return {
    key: publicId(record),
    ...(email === undefined ? {} : { user: email }),
    roles: [...roles],
    isOfAllBackends: backends === undefined,
    ...(usedMs === undefined ? {} : { usedAt: formatRfc3339(BigInt(usedMs) * MS_NS, true) }),
  }
}

export const keyListRoute = defineRoute({
  name: 'listKeys',
  method: 'GET',
  path: '/api/keys',
  summary: 'List the keys that have access to the backend, without their secrets',
  role: 'admin',
  answers: [{ status: 200, description: 'The keys.', schema: z.array(keyRecord).meta({ id: 'KeyList' }) }],
  isQuery: false,
  isAvailable: ({ keyUses }) => keyUses !== undefined,
  // oxlint-disable-next-line require-await
  handle: async ({ identity: { backend }, context: { keys, keyUses } }) => {
    const own = keys.records().filter(({ backends }) => backend === undefined || (backends?.has(backend) ?? true))
    return json(own.map((record) => entryOf(record, keyUses?.get(record.hash))))
  },
})
