export { maxSegmentLength } from './segment-cutter.js'
export { segmentText } from './segment-text.js'
export { createSegmenter, type Segment, type Segmenter, type SegmenterOptions } from './segmenter.js'
export { isSpeakable } from './speakable.js'
