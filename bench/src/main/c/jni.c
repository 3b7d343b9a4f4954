/* The same calls behind JNI, as a binding in C for org.panamaverbs.bench.binding.Jni. */
#include <jni.h>

#include "floor.h"

JNIEXPORT jint JNICALL Java_org_panamaverbs_bench_binding_Jni_postSend(JNIEnv *env, jclass type, jlong qp, jlong wr,
								       jlong bad_wr)
{
	return ibv_post_send((struct ibv_qp *)qp, (struct ibv_send_wr *)wr, (struct ibv_send_wr **)bad_wr);
}

JNIEXPORT jint JNICALL Java_org_panamaverbs_bench_binding_Jni_pollCq(JNIEnv *env, jclass type, jlong cq, jint entries,
								     jlong wc)
{
	return ibv_poll_cq((struct ibv_cq *)cq, entries, (struct ibv_wc *)wc);
}

JNIEXPORT jint JNICALL Java_org_panamaverbs_bench_binding_Jni_reqNotifyCq(JNIEnv *env, jclass type, jlong cq,
									  jint solicited_only)
{
	return ibv_req_notify_cq((struct ibv_cq *)cq, solicited_only);
}
