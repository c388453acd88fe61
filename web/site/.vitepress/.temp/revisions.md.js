import { ssrRenderAttrs, ssrRenderAttr } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const _imports_0 = "/docs/assets/revisions.CK3HMPgv.svg";
const __pageData = JSON.parse('{"title":"Revisions and publications","description":"","frontmatter":{},"headers":[],"relativePath":"revisions.md","filePath":"revisions.md"}');
const _sfc_main = { name: "revisions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="revisions-and-publications" tabindex="-1">Revisions and publications <a class="header-anchor" href="#revisions-and-publications" aria-label="Permalink to &quot;Revisions and publications&quot;">​</a></h1><p>An Agent is edited as a draft, and conversations use what was published. So you can change a draft at any time without anyone noticing.</p><p><img${ssrRenderAttr("src", _imports_0)} alt="Drafts of an Agent, and the publications that conversations use"></p><table tabindex="0"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>a <strong>revision</strong></td><td>a state of the draft. Each change makes one, and none is ever changed</td></tr><tr><td>a <strong>publication</strong></td><td>a revision that conversations use from then on. Conversations in progress keep theirs</td></tr><tr><td>the <strong>state</strong> of an Agent</td><td><code>draft</code> until it is published, <code>published</code> afterwards</td></tr></tbody></table><ul><li><code>PATCH /v1/agents/{agentId}</code> changes the draft. The answer has an <code>ETag</code>; with it as <code>If-Match</code>, a change that someone else made in between is not overwritten (412 <code>revision_conflict</code>).</li><li><code>POST …/publish?dry_run=true</code> says what would keep it from being published. <code>POST …/publish</code> publishes it. Its answer has <code>api_ready</code>: false where <code>voice_config.tts_variant</code> is null, because no session tokens are minted then.</li><li>To go back, publish an earlier revision: <code>POST …/publish</code> with its <code>revision_id</code>. The dashboard has a button for it, and compares two revisions.</li><li>Members of the workspace talk with the draft in the dashboard. <a href="./agent-tests">Tests</a> run against drafts as well.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("revisions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const revisions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  revisions as default
};
