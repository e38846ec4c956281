import { expect, test } from 'vitest'
import { workloadNameOf } from '../../../src/ingest/kubernetes/index.ts'

test.each([
  ['Pod', 'payments-5b8c6f7d9-zr4mk', 'payments'],
  ['Pod', 'checkout-api-7f6d9c4b5-4hj2l', 'checkout-api'],
  ['Pod', 'ledger-db-0', 'ledger-db'],
  ['Pod', 'node-agent-x7kqp', 'node-agent'],
  ['Pod', 'standalone', undefined],
  ['ReplicaSet', 'payments-5b8c6f7d9', 'payments'],
  ['Deployment', 'payments', 'payments'],
  ['StatefulSet', 'ledger-db', 'ledger-db'],
  ['Job', 'backup-29012345', 'backup'],
  ['Job', 'migrate', 'migrate'],
  ['CronJob', 'backup', 'backup'],
  ['Node', 'worker-1', undefined],
  ['Pod', '', undefined],
])('%s %s belongs to %s', (kind, name, workload) => {
  expect(workloadNameOf(kind, name)).toBe(workload)
})
