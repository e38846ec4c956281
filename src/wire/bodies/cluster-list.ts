import { z } from 'zod'
import { condition } from '../condition.ts'

/** Body of `POST /api/k8s/v3/clusters/list`. */
export const clusterList = z
  .object({ Sources: z.array(condition).optional() })
  .meta({ id: 'ClusterList', description: 'Which clusters to list.' })

const figure = z.number().nullable().optional()

/** Use of one resource of a cluster; percentages are 0 to 100. */
const resourceUse = z
  .looseObject({
    Allocatable: figure,
    Limit: figure,
    LimitAllocatablePercent: figure,
    Request: figure,
    RequestAllocatablePercent: figure,
    Usage: figure,
    UsageAllocatablePercent: figure,
    UsageLimitPercent: figure,
    UsageRequestPercent: figure,
  })
  .meta({ id: 'ResourceUse', description: 'Use of one resource over a cluster.' })

export const clusterRecord = z
  .looseObject({
    name: z.string(),
    env: z.string().optional(),
    cloudProvider: z.string().optional(),
    kubernetesVersion: z.string().optional(),
    nodesCount: figure,
    issueCount: figure,
    pods: z.record(z.string(), z.number()).optional(),
    cpu: resourceUse.optional(),
    memory: resourceUse.optional(),
  })
  .meta({ id: 'ClusterRecord', description: 'One Kubernetes cluster.' })

export const clusterListAnswer = z
  .object({ clusters: z.array(clusterRecord), totalCount: z.number().int() })
  .meta({ id: 'ClusterListAnswer', description: 'The clusters and how many there are.' })

export type ClusterList = z.output<typeof clusterList>
export type ClusterRecord = z.output<typeof clusterRecord>
export type ClusterListAnswer = z.output<typeof clusterListAnswer>
