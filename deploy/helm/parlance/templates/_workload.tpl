{{- define "parlance.serviceAccountName" -}}
{{- $account := .service.serviceAccount -}}
{{- if $account.name }}{{ $account.name }}{{ else if $account.create }}{{ include "parlance.name" . }}{{ else }}default{{ end -}}
{{- end }}

{{- define "parlance.serviceAccount" -}}
{{- if .service.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
{{ include "parlance.metadata" (merge (dict "annotations" .service.serviceAccount.annotations) .) }}
automountServiceAccountToken: false
{{- end }}
{{- end }}

{{/* Whether each replica has a load balancer for its media, and so needs a name that stays: "true" or nothing. */}}
{{- define "parlance.hasMediaBalancers" -}}
{{- if and (eq .name "sessions") (eq .root.Values.media.mode "loadBalancer") }}true{{ end -}}
{{- end }}

{{/*
The replicas of a workload. Beside an autoscaler those that run now, within its limits: without a number, Helm would have the API
server set 1. Where the cluster is not asked, as with `gitOps` and by `helm template`, its minimum.
*/}}
{{- define "parlance.replicas" -}}
{{- $scaling := .service.autoscaling }}
{{- if $scaling.enabled }}
  {{- $kind := ternary "StatefulSet" "Deployment" (not (empty (include "parlance.hasMediaBalancers" .))) }}
  {{- $present := 0 }}
  {{- if not .root.Values.gitOps }}
  {{- $present = dig "spec" "replicas" 0 (lookup "apps/v1" $kind .root.Release.Namespace (include "parlance.name" .)) }}
  {{- end }}
  {{- min (max (int $present) (int $scaling.minReplicas)) (int $scaling.maxReplicas) }}
{{- else }}
  {{- .service.replicas }}
{{- end }}
{{- end }}

{{- define "parlance.workload" -}}
{{- $stateful := include "parlance.hasMediaBalancers" . }}
apiVersion: apps/v1
kind: {{ ternary "StatefulSet" "Deployment" (not (empty $stateful)) }}
{{ include "parlance.metadata" . }}
spec:
  replicas: {{ include "parlance.replicas" . }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- include "parlance.selector" . | nindent 6 }}
  {{- if $stateful }}
  serviceName: {{ include "parlance.name" . }}-health
  podManagementPolicy: Parallel
  {{- else }}
  strategy:
    {{- include "parlance.strategy" . | nindent 4 }}
  {{- end }}
  template:
    {{- include "parlance.pod" . | nindent 4 }}
{{- end }}

{{/* On the host's network a new pod needs the port of an old one. */}}
{{- define "parlance.strategy" -}}
{{- $onHost := and (eq .name "sessions") (eq .root.Values.media.mode "hostNetwork") }}
{{- if .service.strategy }}
{{- toYaml .service.strategy }}
{{- else }}
type: RollingUpdate
rollingUpdate: { maxSurge: {{ ternary 0 1 $onHost }}, maxUnavailable: {{ ternary 1 0 $onHost }} }
{{- end }}
{{- end }}

{{/* The pods of a service by name, for metrics; and what a StatefulSet requires. */}}
{{- define "parlance.healthService" -}}
apiVersion: v1
kind: Service
{{ include "parlance.metadata" (merge (dict "suffix" "health" "labels" (dict "parlance/endpoint" "health")) .) }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "parlance.selector" . | nindent 4 }}
  ports:
    - { name: health, port: 8081, targetPort: health }
{{- end }}

{{- define "parlance.disruptionBudget" -}}
{{- if .service.disruptionBudget.enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
{{ include "parlance.metadata" . }}
spec:
  maxUnavailable: {{ .service.disruptionBudget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "parlance.selector" . | nindent 6 }}
{{- end }}
{{- end }}

{{- define "parlance.serviceMonitor" -}}
{{- if .root.Values.metrics.serviceMonitor.enabled }}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
{{ include "parlance.metadata" (merge (dict "labels" .root.Values.metrics.serviceMonitor.labels) .) }}
spec:
  jobLabel: app.kubernetes.io/component
  # The alerts know the targets of Parlance by it.
  targetLabels: [app.kubernetes.io/part-of]
  selector:
    matchLabels:
      {{- include "parlance.selector" . | nindent 6 }}
      parlance/endpoint: health
  endpoints:
    - { port: health, path: /metrics, interval: {{ .root.Values.metrics.serviceMonitor.interval }} }
{{- end }}
{{- end }}
