import type { AnyRoute } from '../definition/route.ts'
import { lokiDetectedRoutes } from './detected.ts'
import { lokiLabelRoutes } from './labels.ts'
import { lokiOldQueryRoutes } from './old-query.ts'
import { lokiPatternRoutes } from './patterns.ts'
import { lokiQueryRoutes } from './query.ts'
import { lokiStatusRoutes } from './status.ts'
import { lokiTailRoutes } from './tail.ts'
import { lokiVolumeRoutes } from './volumes.ts'

/** Routes of Loki's read API. */
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
