import type { AnyRoute } from '../definition/route.ts'
import { lokiDetectedRoutes } from './detected.ts'
import { lokiLabelRoutes } from './labels.ts'
import { lokiOldQueryRoutes } from './old-query.ts'
import { lokiPatternRoutes } from './patterns.ts'
import { lokiQueryRoutes } from './query.ts'
import { lokiStatusRoutes } from './status.ts'
import { lokiTailRoutes } from './tail.ts'
import { lokiVolumeRoutes } from './volumes.ts'

/** The read API of Loki. */
export const lokiReadRoutes: readonly AnyRoute[] = [
  ...lokiQueryRoutes,
  ...lokiOldQueryRoutes,
  ...lokiLabelRoutes,
  ...lokiVolumeRoutes,
  ...lokiDetectedRoutes,
  ...lokiPatternRoutes,
  ...lokiTailRoutes,
  ...lokiStatusRoutes,
]
