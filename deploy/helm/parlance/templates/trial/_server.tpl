{{/* An image that names no registry is from that of `image`. */}}
{{- define "parlance.serverImage" -}}
{{- $registry := .root.Values.image.registry -}}
{{- $first := splitList "/" .server.image | first -}}
{{- if and $registry (not (and (contains "/" .server.image) (regexMatch "[.:]|^localhost$" $first))) }}{{ trimSuffix "/" $registry }}/{{ end -}}
{{- .server.image -}}
{{- end }}

{{/*
A server of one replica with a Service: (dict "root" $ "name" "redis" "port" 6379 "server" values "args" list
"environment" text "data" path "ready" list "mounts" text "volumes" text "podAnnotations" dict). A claim is mounted at "data".
*/}}
{{- define "parlance.trialServer" -}}
apiVersion: v1
kind: Service
{{ include "parlance.metadata" . }}
spec:
  selector:
    {{- include "parlance.selector" . | nindent 4 }}
  ports:
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }} }
---
apiVersion: apps/v1
kind: StatefulSet
{{ include "parlance.metadata" . }}
spec:
  serviceName: {{ include "parlance.name" . }}
  replicas: 1
  selector:
    matchLabels:
      {{- include "parlance.selector" . | nindent 6 }}
  template:
    metadata:
      # Without the version, so that an upgrade of Parlance does not replace the server.
      labels:
        {{- include "parlance.selector" . | nindent 8 }}
        {{- with .root.Values.commonLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "parlance.podBase" .root | nindent 6 }}
      securityContext:
        {{- $user := .server.runAsUser }}
        {{- include "parlance.podSecurityContext" (dict "runAsUser" $user "runAsGroup" $user "fsGroup" $user) | nindent 8 }}
      containers:
        - name: {{ .name }}
          image: {{ include "parlance.serverImage" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: {{ toJson .args }}
          {{- with .environment }}
          env:
            {{- . | trim | nindent 12 }}
          {{- end }}
          ports: [{ name: {{ .name }}, containerPort: {{ .port }} }]
          {{- /* It waits within one probe, as each failure is a warning. */}}
          {{- with .ready }}
          startupProbe: { exec: { command: {{ toJson (concat (list "sh" "-c" "until \"$@\" > /dev/null; do sleep 0.3; done" "sh") .) }} }, timeoutSeconds: 120, failureThreshold: 1 }
          {{- else }}
          startupProbe: { tcpSocket: { port: {{ .name }} }, initialDelaySeconds: 2, periodSeconds: 2, failureThreshold: 60 }
          {{- end }}
          readinessProbe: { {{ with .ready }}exec: { command: {{ toJson . }} }{{ else }}tcpSocket: { port: {{ .name }} }{{ end }}, periodSeconds: 5, timeoutSeconds: 3 }
          livenessProbe: { tcpSocket: { port: {{ .name }} }, periodSeconds: 20, failureThreshold: 6 }
          resources:
            {{- toYaml .root.Values.trial.resources | nindent 12 }}
          securityContext:
            {{- include "parlance.containerSecurityContext" dict | nindent 12 }}
          volumeMounts:
            {{- range default (list "/tmp") .writable }}
            - { name: scratch, mountPath: {{ . }}, subPath: {{ base . }} }
            {{- end }}
            {{- with .data }}
            - { name: data, mountPath: {{ . }} }
            {{- end }}
            {{- with .mounts }}
            {{- . | trim | nindent 12 }}
            {{- end }}
      volumes:
        - name: scratch
          emptyDir: {}
        {{- with .volumes }}
        {{- . | trim | nindent 8 }}
        {{- end }}
  {{- if .data }}
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .root.Values.trial.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources: { requests: { storage: {{ .server.storage }} } }
  {{- end }}
{{- end }}
