export { isKubernetesEvent, kubernetesEventRecord, kubernetesItems, watchedObject } from './event-record.ts'
export { workloadNameOf } from './workload-name.ts'
