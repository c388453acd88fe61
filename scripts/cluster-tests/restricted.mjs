// What Pod Security "restricted" asks of a pod, for pods of the tests.

/** `securityContext` of a pod whose files belong to user 1000. */
export const restrictedPod = {
  runAsNonRoot: true,
  runAsUser: 1000,
  fsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
}

/** `securityContext` of a container that writes nothing to its root. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}
