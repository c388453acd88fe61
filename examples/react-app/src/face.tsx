import './face.css'
import type { UseParlance } from '@parlance/react'

interface FaceProps {
  readonly containerRef: UseParlance['avatarRef']
  readonly load: UseParlance['avatarLoad']
  readonly speaking: boolean
}

/** The avatar fills the element that it is given. */
export const Face = ({ containerRef, load, speaking }: FaceProps) => (
  <div className="face" data-load={load.status} data-speaking={speaking}>
    <div className="canvas" ref={containerRef} />
    {load.status === 'error' && <p>The avatar could not be shown.</p>}
    {!['idle', 'ready', 'error'].includes(load.status) && (
      <progress aria-label="Loading the avatar" value={load.progress} max={1} />
    )}
  </div>
)
