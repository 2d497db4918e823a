export { AreaFrame } from './AreaFrame.tsx'
export { MotionSearch } from './MotionSearch.tsx'
