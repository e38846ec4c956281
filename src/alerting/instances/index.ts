export { advance, endAll, isDue, resolveByHand } from './advance.ts'
export {
  initialState,
  isNotified,
  type Evaluation,
  type Instance,
  type InstanceOrigin,
  type InstanceResult,
  type InstanceRules,
  type InstanceState,
  type MonitorState,
  type Reason,
  type InstanceStep,
  type Transition,
} from './instance.ts'
