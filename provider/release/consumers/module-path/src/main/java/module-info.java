module hello {
    requires org.panamaverbs.api;
}
