/** A file of its own, which the widget loads when the Agent has an avatar: the renderer is larger than all the rest. */
export { createAvatar } from '@parlance/avatar'
