export { tokens, type Fault, type MakeFault } from './fault.ts'
export { allKinds, kinds, plainKinds } from './kinds.ts'
export { fixes, fixesDefinition } from './fuzzer.ts'
export { firstFixIsMeant, fixesHold, fixesInventNothing, reportedOnce, type FixedText } from './laws.ts'
